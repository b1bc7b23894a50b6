// Hook payloads as Claude Code sends them: captured fixtures with other ids, padded to a usual size.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Json = Record<string, unknown>;

export interface SpoolEntry {
  readonly eventName: string;
  /** The bytes of the spool file, with the environment line that a SessionStart record has. */
  readonly content: string;
}

const folder = join(import.meta.dirname, "..", "..", "test", "fixtures", "claude", "2.1.325");

const fixtures: ReadonlyMap<string, Json> = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".json") && !name.startsWith("_"))
    .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8")) as Json]),
);

/** The calls of a turn; each is reported before, after, and in its batch. */
const calls: readonly (readonly [before: string, after: string])[] = [
  ["PreToolUse.Bash", "PostToolUse.Bash"],
  ["PreToolUse.Read", "PostToolUse.Read"],
  ["PreToolUse.Edit", "PostToolUse.Edit"],
  ["PreToolUse.Grep", "PostToolUse.Grep"],
  ["PreToolUse.Write", "PostToolUse.Write"],
  ["PreToolUse.Bash", "PostToolUseFailure.Bash.exit-code"],
  ["PreToolUse.mcp-memory-remember", "PostToolUse.mcp-memory-remember"],
  ["PreToolUse.Skill", "PostToolUse.Skill"],
  ["PreToolUse.Glob", "PostToolUse.Glob"],
  ["PreToolUse.TaskCreate", "PostToolUse.TaskCreate"],
];

/** One of each remaining kind; tools and turns are covered above. */
const others = [...fixtures.keys()].filter(
  (name) =>
    !/^(Pre|Post)ToolUse|^PostToolBatch|^UserPrompt|^Stop|^Session|^MessageDisplay|^FileChanged/.test(name),
);

const sizes = [1_200, 1_600, 2_000, 2_400, 2_800];

const lines = [
  "export function total(prices: readonly number[]): number {",
  "  return prices.reduce((sum, price) => sum + price, 0);",
  "}",
  "import { readFile } from 'node:fs/promises';",
  "  src/cart.test.ts (14 tests) 32ms",
  " FAIL  src/checkout.test.ts > takes the discount once",
  "AssertionError: expected 118.5 to be 120 // Object.is equality",
  "The cart keeps its own total, so the discount is applied twice when the page is opened again.",
  "  const token = await getToken(session);",
  "src/cart.ts:12:  if (items.length === 0) return emptyCart;",
  'git commit -m "Take the discount once" && git push origin HEAD',
  "drwxr-xr-x  4 dev dev  4096 Mar  3 10:12 node_modules",
  '    "test": "vitest run", "build": "tsc -p tsconfig.build.json",',
  "    at processTicksAndRejections (node:internal/process/task_queues:105:5)",
  "| anvil, 10 kg | 3 | 240.00 | in stock |",
  "2 files changed, 14 insertions(+), 3 deletions(-)",
];

/** Strings that get long in practice, the likeliest first. */
const growing = ["stdout", "content", "new_string", "tool_response", "error", "prompt", "message"];
const alsoGrowing = [
  "last_assistant_message",
  "command",
  "description",
  "text",
  "summary",
  "pattern",
  "args",
];

/** Returns `count` spool files of about 2 KB of `sessions` sessions, five concurrent at any time. */
export function spoolEntries(count: number, sessions: number): SpoolEntry[] {
  const each = Math.ceil(count / sessions);
  const all: SpoolEntry[] = [];
  for (let first = 0; first < sessions; first += 5) {
    const beside = Array.from({ length: Math.min(5, sessions - first) }, (_, n) =>
      sessionEntries(first + n, each),
    );
    for (let at = 0; at < each; at++) for (const session of beside) all.push(session[at]!);
  }
  return all.slice(0, count);
}

function sessionEntries(number: number, count: number): SpoolEntry[] {
  const sessionId = uuid(1, number, 0);
  const entries: SpoolEntry[] = [];
  const add = (name: string, more: Json): void => {
    const seed = number * 100_003 + entries.length;
    const size = name.startsWith("PreToolUse") ? 0 : sizes[seed % sizes.length]!;
    entries.push(toEntry(name, { session_id: sessionId, ...more }, size, seed));
  };
  add("SessionStart.startup", {});
  for (let turn = 0; entries.length < count - 1; turn++) {
    const prompt_id = uuid(2, number, turn);
    add("UserPromptSubmit", { prompt_id });
    for (let call = 0; call < 6; call++) {
      const tool_use_id = `toolu_01Bench${number}x${turn}x${call}`;
      const [before, after] = calls[(turn + call) % calls.length]!;
      const size = sizes[(number + turn + call) % sizes.length]! - 200;
      const { tool_name, tool_input } = grown(fixtures.get(before)!, size, number + turn + call);
      const payload = { prompt_id, tool_use_id, tool_input };
      add(before, payload);
      add(after, payload);
      const tool_response = fixtures.get(after)!["error"] ?? excerpt(600, turn + call);
      add("PostToolBatch.x1", {
        prompt_id,
        tool_calls: [{ tool_name, tool_input, tool_use_id, tool_response }],
      });
    }
    add("Stop", { prompt_id });
    add(others[(number + turn) % others.length]!, {
      prompt_id,
      tool_use_id: `toolu_01Other${number}x${turn}`,
    });
  }
  entries.length = count - 1;
  add("SessionEnd.other", {});
  return entries;
}

/** Returns one payload as Claude Code writes it: one line of JSON and a newline. */
export function payloadOf(name: string, more: Json, sizeBytes: number, seed = 0): string {
  const fixture = fixtures.get(name);
  if (fixture === undefined) throw new Error(`there is no fixture ${name}`);
  const known = "tool_use_id" in fixture ? more : { ...more, tool_use_id: undefined };
  return `${JSON.stringify(grown({ ...fixture, ...known }, sizeBytes, seed))}\n`;
}

function toEntry(name: string, more: Json, sizeBytes: number, seed: number): SpoolEntry {
  const payload = payloadOf(name, more, sizeBytes, seed);
  const eventName = name.split(".")[0]!;
  if (eventName !== "SessionStart") return { eventName, content: payload };
  return { eventName, content: `env\tCLAUDE_PID=4711\tCLAUDE_CODE_ENTRYPOINT=cli\tTMUX_PANE=%3\n${payload}` };
}

/** Pads the string that would be long in practice until the payload has about `sizeBytes`. */
function grown(payload: Json, sizeBytes: number, seed: number): Json {
  const copy = structuredClone(payload);
  const missing = sizeBytes - JSON.stringify(copy).length;
  if (missing <= 0) return copy;
  // A call has the same input in every report, so what follows the call grows in its response.
  const { tool_input: _input, tool_calls: _calls, ...answer } = copy;
  const grows = copy["hook_event_name"] === "PreToolUse" ? copy : answer;
  for (const key of [...growing, ...alsoGrowing]) {
    const holder = find(grows, key);
    if (holder === undefined) continue;
    holder[key] = `${String(holder[key])}\n${excerpt(missing, seed)}`;
    return { ...copy, ...grows };
  }
  return copy;
}

function find(value: unknown, key: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (typeof (value as Json)[key] === "string") return value as Json;
  for (const inner of Object.values(value)) {
    const found = find(inner, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function excerpt(length: number, seed: number): string {
  const parts: string[] = [];
  for (let at = seed, size = 0; size < length; at += 7) {
    const line = lines[at % lines.length]!;
    parts.push(line);
    size += line.length + 2;
  }
  // One non-Latin-1 character puts a string on another V8 path; about one payload in eight has one.
  if (seed % 8 === 0) parts[0] = " ✓ src/cart.test.ts (14 tests) 32ms";
  return parts.join("\n").slice(0, length);
}

function uuid(kind: number, a: number, b: number): string {
  const hex = (value: number, width: number): string => value.toString(16).padStart(width, "0");
  return `${hex(kind, 8)}-0000-4000-8000-${hex(a, 6)}${hex(b, 6)}`;
}
