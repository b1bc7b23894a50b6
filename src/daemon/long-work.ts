import { claude } from "../agents/claude/claude.ts";
import { AppError } from "../app-error.ts";
import { type ImportProgress, importTranscripts } from "../capture/import-transcripts.ts";
import { createListeners } from "../listeners.ts";
import type { DaemonStatus, ImportResult, RebuildResult } from "../serve/contract.ts";
import type { Base } from "./base.ts";
import { refuseFullDisk } from "./home-trouble.ts";
import type { Recording } from "./recording.ts";

/** Work that takes long and says how far it is: a rebuild, and imports. */
export interface LongWork {
  /** One at a time: who asks during one waits for that. */
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  /** The daemon ends: a rebuild is given up, what it has made is thrown away. */
  giveUp(): void;
  progress(): DaemonStatus["progress"];
  /** What is being done, in words; null: nothing. */
  name(): string | null;
  isImporting(): boolean;
  /** Until the imports have ended that run now. */
  untilImported(): Promise<void>;
  /** The database was made again. */
  onRebuilt(listener: () => void): void;
  /** An import has ended. */
  onImported(listener: () => void): void;
}

export function openLongWork(base: Base, recording: Recording): LongWork {
  const { home, scope } = base;
  const { keeper, log } = recording;
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
        .exclusively(() =>
          keeper.rebuild({
            signal: ending.signal,
            onProgress(done, total) {
              progress = { work: "rebuild", done, total };
            },
          }),
        )
        .finally(() => {
          rebuilding = null;
          progress = null;
          if (!ending.signal.aborted) rebuilt.tell();
        });
      return rebuilding;
    },
    giveUp: () =>
      ending.abort(
        new AppError(
          "rebuild_stopped",
          "the daemon ends: the rebuild is given up, the database is as it was",
        ),
      ),
    async importTranscripts(root) {
      refuseFullDisk(home);
      const running = runImport(base, recording, root, (done, total) => {
        progress = { work: "import", done, total };
      });
      importing.add(running);
      const result = await running
        .then(async (done) => {
          // Before it counts as over: what the store takes now is still of this import.
          await keeper.follow();
          return done;
        })
        .finally(() => {
          importing.delete(running);
          progress = null;
          imported.tell();
        });
      const { files, bytes, events, badLines } = result;
      return { files, bytes, events, badLines };
    },
    progress: () => progress,
    name: () => (rebuilding !== null ? "a rebuild" : importing.size > 0 ? "an import" : null),
    isImporting: () => importing.size > 0,
    async untilImported() {
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
