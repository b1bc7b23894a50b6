import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import type { HooklineEvent } from "../event/event.ts";
import { resolveHome } from "../home.ts";
import { followLog } from "../log/follow-log.ts";
import type { LogReader, Position } from "../log/log.ts";
import { oneLine } from "../shown/plain-text.ts";
import { createDeniedCalls } from "./denied-calls.ts";
import { eventLine } from "./event-line.ts";
import { openLog } from "./open-log.ts";
import { note, print } from "./output.ts";
import { toInteger } from "./parse-number.ts";

const MAX_SHOWN_IDS = 10_000;

export const tailCommand = defineCommand({
  meta: { name: "tail", description: "Show the latest events" },
  args: {
    follow: { type: "boolean", alias: "f", description: "Keep printing new events" },
    lines: { type: "string", alias: "n", default: "20", description: "Number of events to start with" },
    session: { type: "string", description: "Only this session (id or prefix)" },
    json: { type: "boolean", description: "Print the raw log lines" },
  },
  run: async ({ args }) => {
    const count = toInteger("lines", args.lines, { min: 0 })!;
    const log = openLog(resolveHome());
    const shown = new Set<string>();
    const denied = createDeniedCalls();
    const isWanted = (line: string): boolean => {
      if (/"control\.(?:card|verdict)"/.test(line)) denied.observe(JSON.parse(line) as HooklineEvent);
      return line.trim() !== "" && isOfSession(line, args.session);
    };
    const show = (line: string): void => {
      if (!isWanted(line)) return;
      if (args.json) {
        print(line);
        return;
      }
      // Several reports of one fact are one line for a person.
      const event = JSON.parse(line) as HooklineEvent;
      if (shown.has(event.id)) return;
      if (shown.size > MAX_SHOWN_IDS) shown.clear();
      shown.add(event.id);
      print(eventLine(event, { isDenied: denied.consume(event) }));
    };
    // People see several reports of one fact as one line, at the position of the first.
    const factOf = (line: string): string => (args.json ? line : (JSON.parse(line) as HooklineEvent).id);
    const { lines, next } = await readNewest(log, count, isWanted, factOf);
    if (args.session !== undefined) checkOneSession(args.session, lines);
    if (args.session !== undefined && lines.length === 0 && count > 0 && !args.follow)
      throw new AppError("session_unknown", `there is no session ${args.session}`);
    for (const line of lines) show(line);
    if (lines.length === 0 && count > 0 && args.session === undefined) note("Nothing recorded yet.");
    if (!args.follow) return;
    for await (const batch of followLog(log, next, new AbortController().signal))
      for (const line of batch.lines) show(line);
  },
});

/** Two sessions in one list would look like one. */
function checkOneSession(prefix: string, lines: readonly string[]): void {
  const ids = new Set(lines.map((line) => (JSON.parse(line) as HooklineEvent).sessionId));
  if (ids.size > 1 && !ids.has(prefix))
    throw new AppError(
      "session_ambiguous",
      `${prefix} matches several sessions: ${[...ids].map(oneLine).join(", ")}`,
    );
}

/** Whether a log line belongs to a session with this id prefix. */
function isOfSession(line: string, session: string | undefined): boolean {
  if (session === undefined) return true;
  // Most lines belong to other sessions: don't parse those that cannot match.
  return line.includes(session) && (JSON.parse(line) as HooklineEvent).sessionId.startsWith(session);
}

/** The last matching lines: reads the log's parts newest first, each once, until there are enough. */
async function readNewest(
  log: LogReader,
  count: number,
  isWanted: (line: string) => boolean,
  factOf: (line: string) => string,
): Promise<{ lines: string[]; next: Position | undefined }> {
  let found: string[] = [];
  let next: Position | undefined;
  let isNewest = true;
  for await (const part of log.readNewestFirst()) {
    let lines: string[] = [];
    for await (const batch of part) {
      for (const line of batch.lines) if (isWanted(line)) lines.push(line);
      if (lines.length > 8 * count + REPEAT_MARGIN) lines = lastFacts(lines, count, factOf);
      if (isNewest) next = batch.next;
    }
    isNewest = false;
    found = lastFacts([...lines, ...found], count, factOf);
    if (new Set(found.map(factOf)).size >= count) break;
  }
  return { lines: found, next };
}

/** Room for reports of facts that are reported again later. */
const REPEAT_MARGIN = 100;

/** The last lines that cover that many facts, starting with the first available report of each. */
function lastFacts(lines: readonly string[], count: number, factOf: (line: string) => string): string[] {
  const facts = [...new Set(lines.map(factOf))].slice(count === 0 ? lines.length : -count);
  const wanted = new Set(facts);
  return lines.filter((line) => wanted.has(factOf(line)));
}
