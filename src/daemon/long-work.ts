import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { TranscriptSource } from "../agents/transcript-source.ts";
import type { Acceptor } from "../capture/accept.ts";
import { importTranscripts } from "../capture/import-transcripts.ts";
import type { Quarantine } from "../capture/quarantine.ts";
import type { TailPosition } from "../capture/tail-file.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { DaemonStatus, ImportResult, RebuildResult } from "../serve/contract.ts";
import type { StoreKeeper } from "../store/keep-store.ts";

/** Work that takes long and says how far it is: a rebuild, and imports. */
export interface LongWork {
  /** One at a time: who asks during one waits for that. */
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  progress(): DaemonStatus["progress"];
  /** What is being done, in words; null: nothing. */
  name(): string | null;
  isImporting(): boolean;
  /** Until the imports have ended that run now. */
  imported(): Promise<void>;
  rebuilt(): Promise<void>;
}

export interface LongWorkOptions {
  /** Whose transcripts an import of that folder reads. */
  readonly sourceOf: (root: string) => TranscriptSource;
  readonly projectOf: ProjectOf;
  readonly openAcceptor: () => Acceptor;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly quarantine: Quarantine;
  readonly keeper: StoreKeeper;
  readonly saveOffset: (key: string, position: TailPosition, lastEventIso: string | null) => Promise<void>;
  readonly tend: <T>(work: () => Promise<T>) => Promise<T>;
  /** Returns when the store has what was appended, or is too busy to wait for. */
  readonly follow: () => Promise<void>;
  readonly onRebuilt: () => void;
  readonly onImported: () => void;
}

export function openLongWork(options: LongWorkOptions): LongWork {
  const { keeper } = options;
  let progress: DaemonStatus["progress"] = null;
  let rebuilding: Promise<RebuildResult> | null = null;
  const importing = new Set<Promise<unknown>>();

  return {
    rebuild() {
      rebuilding ??= options
        .tend(() =>
          keeper.rebuild((done, total) => {
            progress = { work: "rebuild", done, total };
          }),
        )
        .finally(() => {
          rebuilding = null;
          progress = null;
          options.onRebuilt();
        });
      return rebuilding;
    },
    async importTranscripts(root) {
      const { projectOf, append, quarantine } = options;
      const running = importTranscripts({
        root,
        source: options.sourceOf(root),
        projectOf,
        acceptor: options.openAcceptor(),
        append,
        onBatch: options.follow,
        quarantine,
        load: (path) => keeper.use((store) => store.facts.streamOffset(`transcript:${path}`)),
        save: (path, position, lastEventIso) =>
          options.saveOffset(`transcript:${path}`, position, lastEventIso),
        onProgress: (at) => {
          progress = { work: "import", done: at.bytes, total: at.totalBytes };
        },
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
          options.onImported();
        });
      const { files, bytes, events, badLines } = result;
      return { files, bytes, events, badLines };
    },
    progress: () => progress,
    name: () => (rebuilding !== null ? "a rebuild" : importing.size > 0 ? "an import" : null),
    isImporting: () => importing.size > 0,
    async imported() {
      await Promise.allSettled(importing);
    },
    async rebuilt() {
      await rebuilding?.catch(() => undefined);
    },
  };
}
