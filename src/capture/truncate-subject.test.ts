import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { contentOf, forgetContent } from "../privacy/forgotten-event.ts";
import { withoutContent } from "../privacy/private-event.ts";
import { redactEvent } from "./redact-event.ts";
import { truncateSubject } from "./truncate-subject.ts";

const TOKEN = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;

function recorded(command: string): unknown {
  const payload = { toolName: "Bash", toolKind: "shell", subject: command, toolInput: { command } };
  return redactEvent({ eventType: "tool.start", payload } as unknown as HooklineEvent).payload?.subject;
}

describe("the recorded subject of a call", () => {
  it("is the first line, cut to 300 characters", () => {
    expect(recorded("\n  npm test \nls")).toBe("npm test");
    expect(recorded("x".repeat(500))).toBe(`${"x".repeat(299)}…`);
    expect(recorded("  \n ")).toBeUndefined();
  });

  it("holds no secret, whole or in part, wherever it is cut", () => {
    for (let before = 250; before < 310; before++) {
      const subject = recorded(`${"y".repeat(before)} ${TOKEN} z`);
      expect(subject).not.toContain(TOKEN.slice(0, 8));
    }
    expect(recorded(`echo <private>diary\nmore</private> done`)).not.toContain("diary");
    expect(recorded(`echo <private>diary\nmore`)).not.toContain("diary");
    expect(
      recorded("echo '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----'"),
    ).not.toContain("BEGIN RSA");
  });

  it("of a request is cut the same way, and what a task is called is not", () => {
    const long = "x".repeat(500);
    const asked = { eventType: "permission", toolName: "Bash", subject: long } as unknown as HooklineEvent;
    expect(redactEvent(asked)["subject"]).toHaveLength(300);
    const task = { eventType: "task.lifecycle", subject: long } as unknown as HooklineEvent;
    expect(redactEvent(task)["subject"]).toHaveLength(500);
  });

  it("stays as it is when it is cut again, whatever is in it", () => {
    const part = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        TOKEN,
        "password=",
        "hunter2",
        "\n",
        " ",
        "<private>",
        "</private>",
        "[REDACTED:",
        "…",
        "x".repeat(140),
        "Bearer ",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = recorded(parts.join(""));
        expect(typeof once === "string" ? recorded(once) : undefined).toBe(once);
      }),
    );
  });

  it("is none in a private turn, nor of what is forgotten", () => {
    const payload = {
      toolName: "Bash",
      toolKind: "shell",
      subject: "diary",
      toolInput: { command: "diary" },
    };
    const call = { eventType: "tool.start", payload } as unknown as HooklineEvent;
    expect(withoutContent(call).payload).toEqual({ toolName: "Bash", toolKind: "shell", toolInput: null });
    expect(JSON.stringify(forgetContent(call))).not.toContain("diary");
    const asked = { eventType: "permission", toolName: "Bash", toolKind: "shell", subject: "diary" };
    expect(withoutContent(asked as unknown as HooklineEvent)["subject"]).toBeUndefined();
    // A word to forget may be the name of a kind.
    expect(JSON.stringify(contentOf(call))).toContain("diary");
    expect(JSON.stringify([contentOf(call), contentOf(asked as unknown as HooklineEvent)])).not.toContain(
      "shell",
    );
  });

  it("is left out where masking never comes to rest", () => {
    expect(truncateSubject("a", (text) => (text === "a" ? "b" : "a"))).toBeUndefined();
  });
});
