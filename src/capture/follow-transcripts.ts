import type { Acceptor } from "./accept.ts";
import type { FollowedTranscript, TranscriptPorts } from "./follow-transcript.ts";
import { createFollowedSession, type FollowedSession } from "./followed-session.ts";
import { createFollowedSessions } from "./followed-sessions.ts";
import { createTranscriptQueue } from "./transcript-queue.ts";
import { watchFolders } from "./watch-folders.ts";

export interface FollowOptions extends TranscriptPorts {
  /** One for each session: what its prompts make private also applies to its subagents. */
  readonly openAcceptor: () => Acceptor;
  /** Runs after each round: views may apply it while the next one is read. */
  readonly onBatch?: ((events: number) => Promise<void>) | undefined;
  /** Nothing is lost: the lines stay and are retried. Called once while the error persists. */
  readonly onError: (error: unknown) => void;
  readonly sweepMs?: number;
}

export interface TranscriptFollower {
  /** Neither the file nor its folder need exist yet. Idempotent; another path replaces the first. */
  watch(sessionId: string, transcriptPath: string): void;
  /** Ingests what is there, then stops. Never rejects. */
  unwatch(sessionId: string): Promise<void>;
  /** Resolves when every complete line of the watched files was ingested, or failed. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const SWEEP_MS = 5_000;

/** Follows the transcripts of live sessions and their subagents, by kernel notifications. */
export function followTranscripts(options: FollowOptions): TranscriptFollower {
  const sessions = createFollowedSessions();
  const queue = createTranscriptQueue({
    mainOf: sessions.mainOf,
    onBatch: options.onBatch,
    onError: options.onError,
  });
  let sweeping: NodeJS.Timeout | null = null;

  /** Schedules the files that have grown, by their sizes on disk. */
  const scheduleChanged = (session: FollowedSession): void => {
    for (const file of session.findFiles()) if (isBehind(file)) queue.schedule(file);
  };

  const onChange = (dir: string, name: string | null): void => {
    if (name === null) for (const session of sessions.inFolder(dir)) scheduleChanged(session);
    else for (const file of sessions.filesAt(dir, name)) queue.schedule(file);
  };

  const folders = watchFolders({ onChange, onError: options.onError });

  const sweep = (): void => {
    folders.recheck();
    for (const session of sessions.all()) scheduleChanged(session);
  };

  const stopSweeping = (): void => {
    if (sweeping !== null) clearInterval(sweeping);
    sweeping = null;
  };

  const drop = (session: FollowedSession): void => {
    sessions.delete(session);
    queue.drop(session.files());
    folders.remove(session.dir);
    folders.remove(session.subagentsDir);
    if (sessions.isEmpty()) stopSweeping();
  };

  return {
    watch(sessionId, transcriptPath) {
      const known = sessions.get(sessionId);
      if (known !== undefined) known.isClosing = false;
      if (queue.isClosed() || known?.main.path === transcriptPath) return;
      if (known !== undefined) drop(known);
      const session = createFollowedSession(sessionId, transcriptPath, options.openAcceptor(), options);
      sessions.add(session);
      folders.add(session.dir);
      folders.add(session.subagentsDir);
      scheduleChanged(session);
      sweeping ??= setInterval(sweep, options.sweepMs ?? SWEEP_MS).unref();
    },
    async unwatch(sessionId) {
      const session = sessions.get(sessionId);
      if (session === undefined) return;
      session.isClosing = true;
      scheduleChanged(session);
      await queue.run();
      if (session.isClosing && sessions.get(sessionId) === session) drop(session);
    },
    async flush() {
      sweep();
      await queue.run();
    },
    async close() {
      const drained = queue.close();
      stopSweeping();
      folders.close();
      await drained;
    },
  };
}

function isBehind(file: FollowedTranscript): boolean {
  try {
    return file.isBehind();
  } catch {
    // The folder is not accessible: ingesting the file reports it.
    return true;
  }
}
