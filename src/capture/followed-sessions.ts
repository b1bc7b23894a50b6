import { dirname, join } from "node:path";
import type { FollowedTranscript } from "./follow-transcript.ts";
import type { FollowedSession } from "./followed-session.ts";

/** The followed sessions, by id and by the folder of their transcripts. */
export interface FollowedSessions {
  get(id: string): FollowedSession | undefined;
  all(): Iterable<FollowedSession>;
  isEmpty(): boolean;
  add(session: FollowedSession): void;
  delete(session: FollowedSession): void;
  /** Sessions with a transcript in this folder. */
  inFolder(dir: string): FollowedSession[];
  /** The files to ingest when a file of this name has changed. */
  filesAt(dir: string, name: string): FollowedTranscript[];
  /** The session's own transcript, given a subagent's; undefined otherwise. */
  mainOf(file: FollowedTranscript): FollowedTranscript | undefined;
}

export function createFollowedSessions(): FollowedSessions {
  const byId = new Map<string, FollowedSession>();
  const byMain = new Map<string, FollowedSession>();
  const bySubagents = new Map<string, FollowedSession>();
  return {
    get: (id) => byId.get(id),
    all: () => byId.values(),
    isEmpty: () => byId.size === 0,
    add(session) {
      byId.set(session.id, session);
      byMain.set(session.main.path, session);
      bySubagents.set(session.subagentsDir, session);
    },
    delete(session) {
      byId.delete(session.id);
      if (byMain.get(session.main.path) === session) byMain.delete(session.main.path);
      if (bySubagents.get(session.subagentsDir) === session) bySubagents.delete(session.subagentsDir);
    },
    inFolder: (dir) =>
      [...byId.values()].filter((session) => session.dir === dir || session.subagentsDir === dir),
    filesAt(dir, name) {
      const mainSession = byMain.get(join(dir, name));
      const parent = bySubagents.get(dir);
      return [
        ...(mainSession === undefined ? [] : [mainSession.main]),
        // A subagent's file comes with the session's own, which may have grown before it.
        ...(parent?.isSubagent(name) ? [parent.main, parent.subagent(name)] : []),
      ];
    },
    mainOf: ({ path }) => bySubagents.get(dirname(path))?.main,
  };
}
