import { afterEach, beforeEach, expect, it } from "vitest";
import { positionAt } from "../../test/support/position.ts";
import { createAcceptor } from "../capture/accept.ts";
import type { HooklineEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import { redactAgain } from "./redact-again.ts";
import { openSqliteStore, type SqliteStore } from "./sqlite/sqlite-store.ts";

let store: SqliteStore;
beforeEach(() => {
  store = openSqliteStore(":memory:");
});
afterEach(() => store.close());

const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
let clock = 0;
const event = (eventType: string, more: object): HooklineEvent => ({
  v: 1,
  id: `id-${++clock}`,
  eventType,
  occurredAtIso: new Date(Date.UTC(2026, 0, 1) + clock * 1_000).toISOString(),
  sessionId: "s",
  provider: "claude",
  projectPath: "/p",
  cwd: "/p",
  origin: "hook",
  promptId: "p",
  ...more,
});
const call = (command: string, toolOutput: string, more: object = {}): HooklineEvent => {
  const payload = {
    toolName: "Bash",
    toolInput: { command },
    toolOutput,
    success: true,
    metadata: { command },
  };
  return event("tool_observation", { toolUseId: `toolu_${clock}`, payload, ...more });
};
const apply = async (...events: HooklineEvent[]): Promise<void> => {
  const lines = events.map((each) => JSON.stringify(each));
  await store.facts.apply({ lines, part: 1, next: positionAt(++clock) });
};
const allRows = (): string =>
  ["facts", "sdk_sessions", "user_prompts", "blobs"]
    .map((table) => JSON.stringify(store.db.raw.prepare(`SELECT * FROM ${table}`).all()))
    .join("");

it("redacts a raw line of the log before it is stored", async () => {
  await apply(
    event("turn.start", { prompt: "deploy <private>to the moon</private> now" }),
    call(
      `curl -H "x: ${secret}" # <private>hidden words</private>`,
      `GH_TOKEN=${secret}\n<private>more</private>`,
    ),
    call(`echo ${"long ".repeat(2_000)} ${secret}`, ""),
    event("turn.end", { lastAssistantMessage: `done with ${secret}` }),
  );
  const stored = allRows();
  for (const hidden of [secret, "to the moon", "hidden words", "<private>"])
    expect(stored).not.toContain(hidden);
  expect(stored).toContain("[REDACTED:github-token]");
  expect(store.db.raw.prepare("SELECT prompt FROM user_prompts").all()).toEqual([{ prompt: "deploy  now" }]);
});

it("hides the turn of a wholly private prompt in the log", async () => {
  await apply(
    event("turn.start", { prompt: "<private>all of it</private>" }),
    call("cat diary", "dear diary"),
  );
  for (const hidden of ["all of it", "diary"]) expect(allRows()).not.toContain(hidden);
  expect(store.db.raw.prepare("SELECT prompt FROM user_prompts").all()).toEqual([]);
});

it("leaves what capture has redacted or truncated unchanged", () => {
  const acceptor = createAcceptor({ mayRecord: () => true });
  const lines = Array.from({ length: 300 }, (_, at) => `line ${at} password=hunter${at}`).join("\n");
  const raw = [
    event("turn.start", { prompt: `mask ${secret} <private>x</private>` }),
    call("npm test", lines),
    call("cat big", "x".repeat(30_000)),
    event("tool_observation", {
      toolUseId: "toolu_w",
      payload: { toolName: "WebFetch", toolInput: { url: "http://e" }, toolOutput: "y ".repeat(2_000) },
    }),
    event("tool_observation", {
      toolUseId: "toolu_g",
      payload: { toolName: "Grep", toolInput: { pattern: "a" }, toolOutput: "a.ts:1:x\na.ts:2:y\nb.ts:3:z" },
    }),
    event("turn.start", { promptId: "q", prompt: "<private>gone</private>" }),
  ];
  for (const accepted of acceptor.accept(raw)) expect(toLine(redactAgain(accepted))).toBe(toLine(accepted));
});
