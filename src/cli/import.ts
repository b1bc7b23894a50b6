import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { parseResponse } from "../client/ask-daemon.ts";
import { type Home, resolveHome } from "../home.ts";
import { ClaudeMemResult, ImportResult, MemoryImportResult } from "../serve/contract.ts";
import { agent } from "./agent.ts";
import { plural } from "./amounts.ts";
import { askMemory, streamMemory } from "./ask-memory.ts";
import { print, printJson } from "./output.ts";
import { withDaemon } from "./with-daemon.ts";

export const importCommand = defineCommand({
  meta: {
    name: "import",
    description: `Import ${agent.label} transcripts or exported memory`,
  },
  args: {
    root: {
      type: "positional",
      required: false,
      description: `Transcript folder (default ${agent.transcripts.root({ HOME: "~" })})`,
    },
    memory: { type: "string", description: "Import a file written by `hookline export`" },
    "claude-mem": { type: "string", description: "Import a claude-mem database or folder" },
    json: { type: "boolean", description: "Print the result as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const sources = [args.root, args.memory, args["claude-mem"]].filter((source) => source !== undefined);
    if (sources.length > 1) throw new AppError("usage", "choose one of a folder, --memory and --claude-mem.");
    const { result, summary } = await importFrom(home, args);
    if (args.json) printJson(result);
    else print(summary);
  },
});

interface Sources {
  readonly root?: string;
  readonly memory?: string;
  readonly "claude-mem"?: string;
}

async function importFrom(home: Home, args: Sources): Promise<{ result: object; summary: string }> {
  if (args.memory !== undefined) return importMemory(home, resolve(args.memory));
  if (args["claude-mem"] !== undefined) return importClaudeMem(home, resolve(args["claude-mem"]));
  const root = args.root === undefined ? agent.transcripts.root(process.env) : resolve(args.root);
  if (args.root !== undefined && !statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError("import_unreadable", `folder not found: ${root}`);
  const request = { path: "/api/import", schema: ImportResult, body: { root } };
  const result = await withDaemon(home, request, (daemon) => daemon.importTranscripts(root));
  const lines = plural(result.badLines, "unreadable line");
  const bad = result.badLines > 0 ? `; ${lines} skipped` : "";
  const summary = `Read ${plural(result.files, "transcript")} under ${root}: ${plural(result.events, "event")}${bad}.`;
  return { result, summary };
}

async function importMemory(home: Home, path: string) {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new AppError("import_unreadable", `file not found: ${path}`);
  const result = await streamMemory(
    home,
    "/api/memory/import",
    () => createReadStream(path),
    async (answer) =>
      parseResponse(MemoryImportResult, { status: answer.status, body: await text(answer.body) }),
  );
  const bad = result.bad.map(({ line, reason }) => `  line ${line}: ${reason}`);
  const unread = result.badLines > 0 ? `; ${plural(result.badLines, "line")} could not be read` : "";
  const summary = `Imported ${plural(result.items, "item")} from ${path}${skippedText(result.skipped)}${unread}.`;
  return { result, summary: [summary, ...bad].join("\n") };
}

async function importClaudeMem(home: Home, path: string) {
  const request = { method: "POST", body: { path } };
  const result = await askMemory(home, ClaudeMemResult, "/api/import/claude-mem", request);
  const { sessions, prompts, observations, summaries } = result;
  const parts = [
    plural(observations, "observation"),
    `${summaries} ${summaries === 1 ? "summary" : "summaries"}`,
    plural(prompts, "prompt"),
  ];
  const summary = `Imported ${parts.join(", ")} from ${plural(sessions, "session")}${skippedText(result.skipped)}.`;
  return { result, summary };
}

function skippedText(skipped: number): string {
  return skipped === 0 ? "" : `; ${skipped} already known, excluded or forgotten`;
}
