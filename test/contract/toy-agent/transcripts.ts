import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { asObject, nonEmpty } from "../../../src/agents/read-json.ts";
import type { TranscriptSource } from "../../../src/agents/transcript-source.ts";
import { contentHash, factId } from "../../../src/event/ids.ts";
import { factOf, stampOf } from "./translate.ts";

/** `~/.toy/runs/<run>.toylog`. */
export const transcripts: TranscriptSource = {
  root: (env) => join(env["HOME"] ?? "/", ".toy", "runs"),
  find: (root) =>
    readdirSync(root)
      .filter((name) => name.endsWith(".toylog"))
      .map((name) => ({ path: join(root, name), sizeBytes: statSync(join(root, name)).size })),
  describe: (path) => ({ path }),
  subagentsOf: (path) => ({ dir: join(dirname(path), "none"), isTranscript: () => false }),
  open: (_file, projectOf) => ({
    translateLine(line) {
      const fields = asObject(line);
      const what = nonEmpty(fields, "what") ?? "unknown";
      const at = nonEmpty(fields, "at") ?? "2026-01-01T00:00:00.000Z";
      const stamp = stampOf(fields, at, projectOf, "transcript");
      const toRawEvent = () => ({
        ...stamp,
        id: factId("toy-line", stamp.sessionId, contentHash(JSON.stringify(line) ?? "")),
        eventType: "agent.event",
        name: what,
        data: line,
      });
      return [factOf(fields, what, stamp) ?? toRawEvent()];
    },
  }),
};
