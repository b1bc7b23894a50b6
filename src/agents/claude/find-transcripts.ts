import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FoundTranscript, TranscriptFile } from "../transcript-source.ts";

/** All transcripts under `<config folder>/projects`: sessions, and the subagents in the folders beside them. */
export function findTranscripts(root: string): FoundTranscript[] {
  const found: FoundTranscript[] = [];
  const walk = (dir: string): void => {
    let entries: Dirent[];
    try {
      entries = readdirSync(dir, { withFileTypes: true });
    } catch {
      return;
    }
    // A session's own file comes before its subagents' folder: a private prompt in it hides their work.
    const byKind = (a: Dirent, b: Dirent): number => Number(a.isDirectory()) - Number(b.isDirectory());
    for (const entry of entries.sort((a, b) => byKind(a, b) || (a.name < b.name ? -1 : 1))) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && entry.name.endsWith(".jsonl")) {
        const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size;
        if (sizeBytes !== undefined) found.push({ path, sizeBytes, ...subagentOf(path) });
      }
    }
  };
  walk(root);
  return found;
}

/** Derives from a file's path and its `.meta.json` which subagent writes it. */
export function subagentOf(path: string): Partial<TranscriptFile> {
  const agentId = /^agent-(.+)\.jsonl$/.exec(basename(path))?.[1];
  if (agentId === undefined || basename(dirname(path)) !== "subagents") return {};
  try {
    const meta = JSON.parse(readFileSync(path.replace(/\.jsonl$/, ".meta.json"), "utf8")) as Record<
      string,
      unknown
    >;
    return { agentId, meta };
  } catch {
    return { agentId };
  }
}
