import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import type { HooklineEvent } from "../../src/event/event.ts";

const line = (seconds: number, fields: object): object => ({
  sessionId: "s",
  cwd: "/home/dev/acme",
  timestamp: new Date(Date.UTC(2026, 10, 15) + seconds * 1000).toISOString(),
  ...fields,
});
const prompt = (seconds: number, content: string, promptId: string): object =>
  line(seconds, { type: "user", promptId, turnOrigin: "human", message: { role: "user", content } });
const title = (customTitle: string): object => ({ type: "custom-title", customTitle, sessionId: "s" });
const failed = (seconds: number, formatted: string): object =>
  line(seconds, { type: "system", subtype: "api_error", uuid: `u${seconds}`, error: { formatted } });

function accepted(...lines: readonly object[]): HooklineEvent[] {
  const translator = claude.transcripts.open({ path: "/home/dev/.claude/projects/p/s.jsonl" }, (cwd) => cwd);
  const acceptor = createAcceptor({ mayRecord: () => true });
  return lines.flatMap((line) => acceptor.accept(translator.translateLine(line)));
}

describe("session names and API errors", () => {
  it("are masked and lose their private parts before the log", () => {
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const events = accepted(
      prompt(1, "go", "p1"),
      title(`use ${secret} <private>for Globex</private>`),
      failed(2, `401 ${secret} was refused`),
    );
    expect(events.map((event) => event["name"])).toEqual([undefined, "title", "api-error"]);
    expect(JSON.stringify(events)).not.toMatch(/ghp_a1B2|Globex/);
  });

  it("are left out in a private turn", () => {
    const events = accepted(
      prompt(1, "<private>buy Globex</private>", "p1"),
      title("Globex"),
      failed(2, "x"),
    );
    expect(events.map((event) => event["name"])).toEqual([undefined, "title", "api-error"]);
    expect(events.every((event) => event["private"] === true && event["data"] === undefined)).toBe(true);
  });

  it("are truncated when they are very long", () => {
    const [, named] = accepted(prompt(1, "go", "p1"), title("long ".repeat(200_000)));
    expect(JSON.stringify(named).length).toBeLessThan(300_000);
  });
});
