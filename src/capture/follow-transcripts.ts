import type { Acceptor } from "./accept.ts";
import type { FollowedTranscript, TranscriptPorts } from "./follow-transcript.ts";
import { type FollowedSession, openFollowedSession } from "./followed-session.ts";
import { createFollowedSessions } from "./followed-sessions.ts";
import { createTranscriptQueue } from "./take-in-turns.ts";
import { watchFolders } from "./watch-folders.ts";

export interface FollowOptions extends TranscriptPorts {
  /** One for each session: what its prompts say holds for its subagents too. */
  readonly openAcceptor: () => Acceptor;
  /** After each round: views may take it while the next is read. */
  readonly onTaken?: ((events: number) => Promise<void>) | undefined;
  /** Nothing is lost: the lines stay where they are, and are tried again. Not repeated while it lasts. */
  readonly onTrouble: (error: unknown) => void;
  readonly sweepMs?: number;
}

export interface TranscriptsFollower {
  /** Neither the file nor its folder need exist yet. Calling it again changes nothing; another path replaces the first. */
  watch(sessionId: string, transcriptPath: string): void;
  /** Takes what is there, then lets go. Never rejects. */
  unwatch(sessionId: string): Promise<void>;
  /** Resolves when every whole line of what is watched was taken, or could not be. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const SWEEP_MS = 5_000;

/** Follows the transcripts of live sessions and of their subagents, as the kernel tells of them. */
export function followTranscripts(options: FollowOptions): TranscriptsFollower {
  const sessions = createFollowedSessions();
  const queue = createTranscriptQueue({
    mainOf: sessions.mainOf,
    onTaken: options.onTaken,
    onTrouble: options.onTrouble,
  });
  let sweeping: NodeJS.Timeout | null = null;

  /** What has grown, by the sizes on the disk. */
  const look = (session: FollowedSession): void => {
    for (const file of session.findFiles()) if (isBehind(file)) queue.soon(file);
  };

  const onChange = (dir: string, name: string | null): void => {
    if (name === null) for (const session of sessions.in(dir)) look(session);
    else for (const file of sessions.filesAt(dir, name)) queue.soon(file);
  };

  const folders = watchFolders({ onChange, onTrouble: options.onTrouble });

  const sweep = (): void => {
    folders.renew();
    for (const session of sessions.all()) look(session);
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
      if (known !== undefined) known.isLeaving = false;
      if (queue.isClosed() || known?.main.path === transcriptPath) return;
      if (known !== undefined) drop(known);
      const session = openFollowedSession(sessionId, transcriptPath, options.openAcceptor(), options);
      sessions.add(session);
      folders.add(session.dir);
      folders.add(session.subagentsDir);
      look(session);
      sweeping ??= setInterval(sweep, options.sweepMs ?? SWEEP_MS).unref();
    },
    async unwatch(sessionId) {
      const session = sessions.get(sessionId);
      if (session === undefined) return;
      session.isLeaving = true;
      look(session);
      await queue.run();
      if (session.isLeaving && sessions.get(sessionId) === session) drop(session);
    },
    async flush() {
      sweep();
      await queue.run();
    },
    async close() {
      const taken = queue.close();
      stopSweeping();
      folders.close();
      await taken;
    },
  };
}

function isBehind(file: FollowedTranscript): boolean {
  try {
    return file.isBehind();
  } catch {
    // A folder that may not be looked into: whoever takes the file says so.
    return true;
  }
}
