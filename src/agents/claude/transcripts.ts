import { basename, dirname, join } from "node:path";
import type { TranscriptSource } from "../transcript-source.ts";
import { configDir } from "./config-dir.ts";
import { findTranscripts, subagentOf } from "./find-transcripts.ts";
import { openClaudeTranscript } from "./translate-transcript.ts";

/** `<config folder>/projects/<project>/<session>.jsonl`, beside it `<session>/subagents/agent-<id>.jsonl`. */
export const transcripts: TranscriptSource = {
  root: (env) => join(configDir(env), "projects"),
  find: findTranscripts,
  describe: (path) => ({ path, ...subagentOf(path) }),
  subagentsOf: (path) => ({
    dir: join(dirname(path), basename(path, ".jsonl"), "subagents"),
    isTranscript: (name) => /^agent-.+\.jsonl$/.test(name),
  }),
  open: openClaudeTranscript,
};
