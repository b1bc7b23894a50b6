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
    description: `Read the transcripts that ${agent.label} keeps, or what was remembered elsewhere`,
  },
  args: {
    root: {
      type: "positional",
      required: false,
      description: `Folder of transcripts (default ${agent.transcripts.root({ HOME: "~" })})`,
    },
    memory: { type: "string", description: "Instead: a file that `hookline export` wrote" },
    "claude-mem": { type: "string", description: "Instead: the database of claude-mem, or its folder" },
    json: { type: "boolean", description: "Print the result as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const sources = [args.root, args.memory, args["claude-mem"]].filter((source) => source !== undefined);
    if (sources.length > 1) throw new AppError("usage", "a folder, --memory or --claude-mem: one of them.");
    const { result, told } = await importFrom(home, args);
    if (args.json) printJson(result);
    else print(told);
  },
});

interface Sources {
  readonly root?: string;
  readonly memory?: string;
  readonly "claude-mem"?: string;
}

async function importFrom(home: Home, args: Sources): Promise<{ result: object; told: string }> {
  if (args.memory !== undefined) return importMemory(home, resolve(args.memory));
  if (args["claude-mem"] !== undefined) return importClaudeMem(home, resolve(args["claude-mem"]));
  const root = args.root === undefined ? agent.transcripts.root(process.env) : resolve(args.root);
  if (args.root !== undefined && !statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError("import_unreadable", `there is no folder ${root}`);
  const ask = { path: "/api/import", schema: ImportResult, body: { root } };
  const result = await withDaemon(home, ask, (daemon) => daemon.importTranscripts(root));
  const lines = plural(result.badLines, "unreadable line");
  const bad = result.badLines > 0 ? `; ${lines} set aside` : "";
  const told = `Read ${plural(result.files, "transcript")} under ${root}: ${plural(result.events, "event")}${bad}.`;
  return { result, told };
}

async function importMemory(home: Home, path: string) {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new AppError("import_unreadable", `${path} is no file`);
  const result = await streamMemory(
    home,
    "/api/memory/import",
    () => createReadStream(path),
    async (answer) =>
      parseResponse(MemoryImportResult, { status: answer.status, body: await text(answer.body) }),
  );
  const bad = result.bad.map(({ line, reason }) => `  line ${line}: ${reason}`);
  const unread = result.badLines > 0 ? `; ${plural(result.badLines, "line")} could not be read` : "";
  const told = `Took in ${plural(result.items, "item")} of ${path}${skippedText(result.skipped)}${unread}.`;
  return { result, told: [told, ...bad].join("\n") };
}

async function importClaudeMem(home: Home, path: string) {
  const ask = { method: "POST", body: { path } };
  const result = await askMemory(home, ClaudeMemResult, "/api/import/claude-mem", ask);
  const { sessions, prompts, observations, summaries } = result;
  const parts = [
    plural(observations, "observation"),
    `${summaries} ${summaries === 1 ? "summary" : "summaries"}`,
    plural(prompts, "prompt"),
  ];
  const told = `Took in ${parts.join(", ")} of ${plural(sessions, "session")}${skippedText(result.skipped)}.`;
  return { result, told };
}

function skippedText(skipped: number): string {
  return skipped === 0 ? "" : `; ${skipped} were known, excluded or forgotten`;
}
