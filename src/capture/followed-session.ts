import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Acceptor } from "./accept.ts";
import { type FollowedTranscript, followTranscript, type TranscriptPorts } from "./follow-transcript.ts";

/** The transcripts of one session: its own, and those of the subagents seen so far. */
export interface FollowedSession {
  readonly id: string;
  readonly main: FollowedTranscript;
  readonly dir: string;
  readonly subagentsDir: string;
  readonly isSubagent: (name: string) => boolean;
  /** A file in the subagents' folder, by name; always the same instance. */
  subagent(name: string): FollowedTranscript;
  /** All files, after listing the subagents on disk. */
  findFiles(): FollowedTranscript[];
  /** The files known so far. */
  files(): FollowedTranscript[];
  isClosing: boolean;
}

export function createFollowedSession(
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
    isClosing: false,
  };
}

function readNames(dir: string): string[] {
  // Most sessions have none, and a thrown error costs more than the check.
  if (!existsSync(dir)) return [];
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
