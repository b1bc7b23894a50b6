import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Acceptor } from "./accept.ts";
import {
  type FollowedTranscript,
  followTranscript,
  type Taken,
  type TranscriptPorts,
} from "./follow-transcript.ts";
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

interface Session {
  readonly id: string;
  readonly main: FollowedTranscript;
  readonly dir: string;
  readonly subagentsDir: string;
  readonly isSubagent: (name: string) => boolean;
  readonly acceptor: Acceptor;
  readonly subagents: Map<string, FollowedTranscript>;
  isLeaving: boolean;
}

const GATHER_MS = 30;
const SWEEP_MS = 5_000;

/** Follows the transcripts of live sessions and of their subagents, as the kernel tells of them. */
export function followTranscripts(options: FollowOptions): TranscriptsFollower {
  const sessions = new Map<string, Session>();
  const byMain = new Map<string, Session>();
  const bySubagents = new Map<string, Session>();
  const behind = new Set<FollowedTranscript>();
  const failed = new Set<FollowedTranscript>();
  let gathering: NodeJS.Timeout | null = null;
  let sweeping: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;
  let trouble: string | null = null;

  const drain = async (): Promise<void> => {
    while (behind.size > 0 && !isClosed) {
      let events = 0;
      // A part of each in turn, so that a big file holds up no other.
      for (const file of [...behind]) {
        const main = bySubagents.get(dirname(file.path))?.main;
        // A private prompt there hides what is told here: first all of it.
        if (main !== undefined && behind.has(main)) continue;
        behind.delete(file);
        if (main !== undefined && failed.has(main)) continue;
        const taken = await take(file);
        events += taken.events;
        if (taken.isMore) behind.add(file);
        if (isClosed) return;
      }
      if (events > 0) await options.onTaken?.(events);
      await nextTurn();
    }
  };

  /** What fails is tried again when it grows, and by the sweep. */
  const take = async (file: FollowedTranscript): Promise<Taken> => {
    try {
      const taken = await file.take();
      failed.delete(file);
      if (failed.size === 0) trouble = null;
      return taken;
    } catch (error) {
      failed.add(file);
      if (String(error) !== trouble) options.onTrouble(error);
      trouble = String(error);
      return { events: 0, isMore: false };
    }
  };

  const run = (): Promise<void> => {
    if (gathering !== null) clearTimeout(gathering);
    gathering = null;
    running = running.then(drain).catch(options.onTrouble);
    return running;
  };

  const soon = (file: FollowedTranscript): void => {
    behind.add(file);
    if (!isClosed) gathering ??= setTimeout(run, GATHER_MS);
  };

  const subagent = (session: Session, name: string): FollowedTranscript => {
    const path = join(session.subagentsDir, name);
    const file = session.subagents.get(path) ?? followTranscript(path, session.acceptor, options);
    session.subagents.set(path, file);
    return file;
  };

  /** What has grown, by the sizes on the disk. */
  const look = (session: Session): void => {
    for (const name of subagentNames(session)) subagent(session, name);
    for (const file of [session.main, ...session.subagents.values()]) if (isBehind(file)) soon(file);
  };

  const onChange = (dir: string, name: string | null): void => {
    if (name === null) {
      for (const session of sessions.values())
        if (session.dir === dir || session.subagentsDir === dir) look(session);
      return;
    }
    const own = byMain.get(join(dir, name));
    if (own !== undefined) soon(own.main);
    const parent = bySubagents.get(dir);
    if (parent === undefined || !parent.isSubagent(name)) return;
    // With it the session's own, which may have grown before it.
    soon(parent.main);
    soon(subagent(parent, name));
  };

  const folders = watchFolders({ onChange, onTrouble: options.onTrouble });

  const sweep = (): void => {
    folders.renew();
    for (const session of sessions.values()) look(session);
  };

  const drop = (session: Session): void => {
    sessions.delete(session.id);
    if (byMain.get(session.main.path) === session) byMain.delete(session.main.path);
    if (bySubagents.get(session.subagentsDir) === session) bySubagents.delete(session.subagentsDir);
    for (const file of [session.main, ...session.subagents.values()]) {
      behind.delete(file);
      failed.delete(file);
    }
    folders.remove(session.dir);
    folders.remove(session.subagentsDir);
    if (sessions.size > 0 || sweeping === null) return;
    clearInterval(sweeping);
    sweeping = null;
  };

  return {
    watch(sessionId, transcriptPath) {
      const known = sessions.get(sessionId);
      if (known !== undefined) known.isLeaving = false;
      if (isClosed || known?.main.path === transcriptPath) return;
      if (known !== undefined) drop(known);
      const session = openSession(sessionId, transcriptPath, options);
      sessions.set(sessionId, session);
      byMain.set(transcriptPath, session);
      bySubagents.set(session.subagentsDir, session);
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
      await run();
      if (session.isLeaving && sessions.get(sessionId) === session) drop(session);
    },
    async flush() {
      sweep();
      await run();
    },
    async close() {
      isClosed = true;
      if (gathering !== null) clearTimeout(gathering);
      if (sweeping !== null) clearInterval(sweeping);
      folders.close();
      await running;
    },
  };
}

function openSession(id: string, path: string, options: FollowOptions): Session {
  const acceptor = options.openAcceptor();
  return {
    id,
    main: followTranscript(path, acceptor, options),
    dir: dirname(path),
    subagentsDir: options.source.subagentsOf(path).dir,
    isSubagent: options.source.subagentsOf(path).isTranscript,
    acceptor,
    subagents: new Map(),
    isLeaving: false,
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

function subagentNames({ subagentsDir, isSubagent }: Session): string[] {
  // Most sessions have none, and an error costs more than the question.
  if (!existsSync(subagentsDir)) return [];
  try {
    return readdirSync(subagentsDir).filter(isSubagent).sort();
  } catch {
    return [];
  }
}
