import { claude } from "../agents/claude/claude.ts";
import { AppError } from "../app-error.ts";
import { type ImportProgress, importTranscripts } from "../capture/import-transcripts.ts";
import { createListeners } from "../listeners.ts";
import type { DaemonStatus, ImportResult, RebuildResult } from "../serve/contract.ts";
import type { Base } from "./base.ts";
import { refuseFullDisk } from "./home-errors.ts";
import type { Recording } from "./recording.ts";

/** Long work that reports its progress: a rebuild, and imports. */
export interface LongWork {
  /** One at a time: a call during a rebuild waits for that one. */
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  /** On shutdown: aborts a rebuild and discards its result. */
  abort(): void;
  progress(): DaemonStatus["progress"];
  /** The current work as text; null: none. */
  currentWork(): string | null;
  isImporting(): boolean;
  /** Resolves when all imports running now have ended. */
  waitForImports(): Promise<void>;
  /** Called when the database was rebuilt. */
  onRebuilt(listener: () => void): void;
  /** Called when an import has ended. */
  onImported(listener: () => void): void;
}

export function openLongWork(base: Base, recording: Recording): LongWork {
  const { home, scope } = base;
  const { liveStore, log } = recording;
  const rebuilt = createListeners<[]>();
  const imported = createListeners<[]>();
  let progress: DaemonStatus["progress"] = null;
  let rebuilding: Promise<RebuildResult> | null = null;
  const importing = new Set<Promise<unknown>>();
  const ending = new AbortController();
  scope.defer(() => rebuilding?.catch(() => undefined));

  return {
    rebuild() {
      refuseFullDisk(home);
      rebuilding ??= log
        .runExclusive(() =>
          liveStore.rebuild({
            signal: ending.signal,
            onProgress(done, total) {
              progress = { work: "rebuild", done, total };
            },
          }),
        )
        .finally(() => {
          rebuilding = null;
          progress = null;
          if (!ending.signal.aborted) rebuilt.emit();
        });
      return rebuilding;
    },
    abort: () =>
      ending.abort(
        new AppError("rebuild_stopped", "the daemon is stopping: rebuild cancelled, database unchanged"),
      ),
    async importTranscripts(root) {
      refuseFullDisk(home);
      const running = runImport(base, recording, root, (done, total) => {
        progress = { work: "import", done, total };
      });
      importing.add(running);
      const result = await running
        .then(async (done) => {
          // Before it counts as done: what the store applies now still belongs to this import.
          await liveStore.follow();
          return done;
        })
        .finally(() => {
          importing.delete(running);
          progress = null;
          imported.emit();
        });
      const { files, bytes, events, badLines } = result;
      return { files, bytes, events, badLines };
    },
    progress: () => progress,
    currentWork: () => (rebuilding !== null ? "a rebuild" : importing.size > 0 ? "an import" : null),
    isImporting: () => importing.size > 0,
    async waitForImports() {
      await Promise.allSettled(importing);
    },
    onRebuilt: rebuilt.add,
    onImported: imported.add,
  };
}

function runImport(
  { agents, env }: Base,
  recording: Recording,
  root: string,
  onProgress: (done: number, total: number) => void,
): Promise<ImportProgress> {
  const { projectOf, append, quarantine, loadOffset, saveOffset } = recording;
  return importTranscripts({
    root,
    source: agents.transcriptsIn(root, env) ?? claude.transcripts,
    projectOf,
    acceptor: recording.openAcceptor(),
    append,
    onBatch: recording.followSoon.afterImportedBatch,
    quarantine,
    load: (path) => loadOffset(`transcript:${path}`),
    save: (path, position, lastEventIso) => saveOffset(`transcript:${path}`, position, lastEventIso),
    onProgress: ({ bytes, totalBytes }) => onProgress(bytes, totalBytes),
  });
}
