import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../src/agents/claude/claude.ts";

export type Payload = Record<string, unknown>;

const FIXTURES = join(import.meta.dirname, "../fixtures/claude");

/** Real payloads of every installed hook. */
export function realPayloads(): Payload[] {
  const dir = join(FIXTURES, "2.1.325");
  const left = /^(_|WorktreeCreate|MessageDisplay|FileChanged)/;
  return readdirSync(dir)
    .filter((name) => !left.test(name))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(dir, name), "utf8")) as Payload);
}

export interface RunLine {
  readonly t: string;
  readonly payload: Payload;
}

export const RUNS: readonly string[] = readdirSync(join(FIXTURES, "runs")).sort();

/** The hooks of one real run, in the order in which they fired. */
export function realRun(name: string): RunLine[] {
  return readFileSync(join(FIXTURES, "runs", name, "hooks.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RunLine);
}

/** The same payload in another session, with different ids throughout. */
export function varied(payload: Payload, sessionId: string, suffix: string): Payload {
  const copy = JSON.parse(JSON.stringify(payload), (key, value: unknown) =>
    typeof value === "string" && ["prompt_id", "tool_use_id", "agent_id"].includes(key)
      ? `${value}-${suffix}`
      : value,
  ) as Payload;
  return { ...copy, session_id: sessionId };
}

/** How many events of each kind a payload must produce, counted with the translator. */
export function eventsOf(payload: Payload): string[] {
  const delivery = {
    payload,
    env: {},
    name: "1-2-0",
    timeNs: "1",
    occurredAtIso: "2026-01-01T00:00:00.000Z",
    contentHash: () => "x",
    pid: 1,
  };
  const events = claude.translateHook(delivery, (cwd) => cwd);
  return [...new Map(events.map((event) => [event.id, event.eventType])).values()];
}
