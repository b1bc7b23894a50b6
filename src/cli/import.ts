import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { defineCommand } from "citty";
import { resolveHome } from "../home.ts";
import { ImportResult } from "../serve/contract.ts";
import { print, printJson } from "./output.ts";
import { withDaemon } from "./with-daemon.ts";

export const importCommand = defineCommand({
  meta: { name: "import", description: "Read the transcripts that Claude Code keeps" },
  args: {
    root: {
      type: "positional",
      required: false,
      description: "Folder of transcripts (default ~/.claude/projects)",
    },
    json: { type: "boolean", description: "Print the result as JSON" },
  },
  run: async ({ args }) => {
    const usual = join(
      process.env["CLAUDE_CONFIG_DIR"] || join(process.env["HOME"] || homedir(), ".claude"),
      "projects",
    );
    const root = args.root === undefined ? usual : resolve(args.root);
    const ask = { path: "/api/import", schema: ImportResult, body: { root } };
    const result = await withDaemon(resolveHome(), ask, (daemon) => daemon.importTranscripts(root));
    if (args.json) printJson(result);
    else {
      const bad = result.badLines > 0 ? `; ${result.badLines} unreadable lines were set aside` : "";
      print(`Read ${result.files} transcripts under ${root}: ${result.events} events${bad}.`);
    }
  },
});
