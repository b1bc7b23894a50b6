import { setImmediate as nextTurn } from "node:timers/promises";
import type { FollowedTranscript, Taken } from "./follow-transcript.ts";

/** Takes what has grown, a part of each file in turn, so that a big one holds up no other. */
export interface TranscriptQueue {
  /** Gathered for a moment with what else has grown. */
  soon(file: FollowedTranscript): void;
  /** Resolves when all that is behind was taken, or could not be. Never rejects. */
  run(): Promise<void>;
  drop(files: readonly FollowedTranscript[]): void;
  isClosed(): boolean;
  /** Resolves when what is being taken has been. */
  close(): Promise<void>;
}

export interface TranscriptQueueOptions {
  /** The transcript of the session whose subagent wrote this file; undefined of a session's own. */
  readonly mainOf: (file: FollowedTranscript) => FollowedTranscript | undefined;
  /** After each round: views may take it while the next is read. */
  readonly onTaken?: ((events: number) => Promise<void>) | undefined;
  /** Not repeated while it lasts. */
  readonly onTrouble: (error: unknown) => void;
}

const GATHER_MS = 30;

export function createTranscriptQueue(options: TranscriptQueueOptions): TranscriptQueue {
  const behind = new Set<FollowedTranscript>();
  const { take, hasFailed, forget } = createTaking(options.onTrouble);
  let gathering: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const drain = async (): Promise<void> => {
    while (behind.size > 0 && !isClosed) {
      let events = 0;
      for (const file of [...behind]) {
        const main = options.mainOf(file);
        // A private prompt there hides what is told here: first all of it.
        if (main !== undefined && behind.has(main)) continue;
        behind.delete(file);
        if (main !== undefined && hasFailed(main)) continue;
        const taken = await take(file);
        events += taken.events;
        if (taken.isMore) behind.add(file);
        if (isClosed) return;
      }
      if (events > 0) await options.onTaken?.(events);
      await nextTurn();
    }
  };

  const stopGathering = (): void => {
    if (gathering !== null) clearTimeout(gathering);
    gathering = null;
  };

  const run = (): Promise<void> => {
    stopGathering();
    running = running.then(drain).catch(options.onTrouble);
    return running;
  };

  return {
    soon(file) {
      behind.add(file);
      if (!isClosed) gathering ??= setTimeout(run, GATHER_MS);
    },
    run,
    drop(files) {
      for (const file of files) {
        behind.delete(file);
        forget(file);
      }
    },
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      stopGathering();
      return running;
    },
  };
}

interface Taking {
  /** What fails is tried again when it grows, and by the sweep. */
  readonly take: (file: FollowedTranscript) => Promise<Taken>;
  readonly hasFailed: (file: FollowedTranscript) => boolean;
  readonly forget: (file: FollowedTranscript) => void;
}

/** Takes files one by one and reports a trouble once, however many files have it. */
function createTaking(onTrouble: (error: unknown) => void): Taking {
  const failed = new Set<FollowedTranscript>();
  let trouble: string | null = null;
  return {
    async take(file) {
      try {
        const taken = await file.take();
        failed.delete(file);
        if (failed.size === 0) trouble = null;
        return taken;
      } catch (error) {
        failed.add(file);
        if (String(error) !== trouble) onTrouble(error);
        trouble = String(error);
        return { events: 0, isMore: false };
      }
    },
    hasFailed: (file) => failed.has(file),
    forget: (file) => void failed.delete(file),
  };
}
