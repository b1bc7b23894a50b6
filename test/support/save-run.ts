// Saves a captured run: hook payloads in order of arrival and the transcript files, with the scratch
// paths rewritten to /home/dev and the CLI's own prompt text removed.

import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Scratch } from "./claude.ts";

/** All events of 2.1.325 except three: WorktreeCreate changes behaviour, the other two only add noise. */
const events = [
  ...["SessionStart", "SessionEnd", "Setup", "InstructionsLoaded", "ConfigChange", "CwdChanged"],
  ...["UserPromptSubmit", "UserPromptExpansion", "Stop", "StopFailure", "Notification", "DirectoryAdded"],
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "WorktreeRemove"],
  ...["PermissionRequest", "PermissionDenied", "Elicitation", "ElicitationResult", "TeammateIdle"],
  ...["SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted"],
  ...["PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch"],
];

const MAX_TEXT_CHARS = 120;

/** Records every hook of this home into `<root>/hooks`, one file each, named by arrival in ns. */
export async function recordHooks(scratch: Scratch): Promise<void> {
  const folder = join(scratch.root, "hooks");
  const command = `f=${folder}/$(date +%s%N)-$$; cat >"$f.part"; mv "$f.part" "$f"; exit 0`;
  const entry = [{ hooks: [{ type: "command", command, timeout: 5 }] }];
  const settings = { hooks: Object.fromEntries(events.map((event) => [event, entry])) };
  await mkdir(folder, { recursive: true });
  await mkdir(join(scratch.home, ".claude"), { recursive: true });
  await writeFile(join(scratch.home, ".claude", "settings.json"), JSON.stringify(settings));
}

export async function saveRun(scratch: Scratch, apiUrl: string, target: string): Promise<void> {
  const rewrite = (text: string) =>
    text
      .replaceAll(scratch.home, "/home/dev")
      .replaceAll(toFolderName(scratch.home), toFolderName("/home/dev"))
      .replaceAll(join(scratch.root, "tmp"), "/tmp")
      .replaceAll(scratch.root, "/home/dev/.recorder")
      .replaceAll(new URL(apiUrl).host, "127.0.0.1:8080");

  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "hooks.jsonl"), rewrite(await readHooks(join(scratch.root, "hooks"))));

  const projects = join(scratch.home, ".claude", "projects");
  for (const entry of await readdir(projects, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const copy = join(target, "projects", rewrite(source).slice(rewrite(projects).length));
    await mkdir(dirname(copy), { recursive: true });
    if (!/\.jsonl?$/.test(entry.name)) await cp(source, copy);
    else await writeFile(copy, rewrite(await readTranscript(source)));
  }
}

async function readHooks(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const lines = names.map(async (name) => {
    const payload: unknown = JSON.parse(await readFile(join(folder, name), "utf8"));
    return `${JSON.stringify({ t: new Date(Number(name.slice(0, 13))).toISOString(), payload })}\n`;
  });
  return (await Promise.all(lines)).join("");
}

async function readTranscript(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  if (!basename(path).endsWith(".jsonl")) return text;
  const lines = text.split("\n").filter((line) => line && !/^\{"type":"api-request/.test(line));
  return lines.map((line) => `${strip(line)}\n`).join("");
}

/** Returns a line byte for byte unless it is an attachment, which may contain prompt text of the CLI. */
function strip(line: string): string {
  const record = JSON.parse(line) as { type: string; attachment?: { type: string } };
  const { type, attachment } = record;
  if (type !== "attachment" || attachment === undefined || attachment.type.startsWith("hook_")) return line;
  const shortRecord = shortened(record) as object;
  // Text that a person or a task queued while the model was busy; only its rendering is the CLI's own text.
  if (attachment.type === "queued_command") return JSON.stringify({ ...shortRecord, attachment });
  if (attachment.type !== "prompt_snapshot") return JSON.stringify(shortRecord);
  const stripped = `[stripped ${line.length} chars]`;
  return JSON.stringify({ ...shortRecord, attachment: { type: "prompt_snapshot", stripped } });
}

function shortened(value: unknown): unknown {
  if (typeof value === "string" && value.length > MAX_TEXT_CHARS) return `[stripped ${value.length} chars]`;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

function toFolderName(path: string): string {
  return path.replace(/[^a-zA-Z0-9]/g, "-");
}
