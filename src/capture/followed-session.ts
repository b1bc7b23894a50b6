import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Acceptor } from "./accept.ts";
import { type FollowedTranscript, followTranscript, type TranscriptPorts } from "./follow-transcript.ts";

/** The transcripts of one session: its own, and those of its subagents that were seen so far. */
export interface FollowedSession {
  readonly id: string;
  readonly main: FollowedTranscript;
  readonly dir: string;
  readonly subagentsDir: string;
  readonly isSubagent: (name: string) => boolean;
  /** Of the subagents' folder, by its name in it; the same each time. */
  subagent(name: string): FollowedTranscript;
  /** All of them, after a look at which subagents there are on the disk. */
  findFiles(): FollowedTranscript[];
  /** Those that are known. */
  files(): FollowedTranscript[];
  isLeaving: boolean;
}

export function openFollowedSession(
  id: string,
  path: string,
  acceptor: Acceptor,
  ports: TranscriptPorts,
): FollowedSession {
  const { dir: subagentsDir, isTranscript: isSubagent } = ports.source.subagentsOf(path);
  const main = followTranscript(path, acceptor, ports);
  const subagents = new Map<string, FollowedTranscript>();
  const subagent = (name: string): FollowedTranscript => {
    const path = join(subagentsDir, name);
    const file = subagents.get(path) ?? followTranscript(path, acceptor, ports);
    subagents.set(path, file);
    return file;
  };
  const files = (): FollowedTranscript[] => [main, ...subagents.values()];
  return {
    id,
    main,
    dir: dirname(path),
    subagentsDir,
    isSubagent,
    subagent,
    findFiles() {
      for (const name of readNames(subagentsDir).filter(isSubagent).sort()) subagent(name);
      return files();
    },
    files,
    isLeaving: false,
  };
}

function readNames(dir: string): string[] {
  // Most sessions have none, and an error costs more than the question.
  if (!existsSync(dir)) return [];
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
