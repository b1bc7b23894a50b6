import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { contentOf, forgetContent } from "../privacy/forgotten-event.ts";
import { withoutContent } from "../privacy/private-event.ts";
import { redactEvent } from "./redact-event.ts";
import { truncateSubject } from "./truncate-subject.ts";

const TOKEN = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;

function recordedSubject(command: string): unknown {
  const payload = { toolName: "Bash", toolKind: "shell", subject: command, toolInput: { command } };
  return redactEvent({ eventType: "tool.start", payload } as unknown as HooklineEvent).payload?.subject;
}

describe("truncateSubject in redactEvent", () => {
  it("keeps the first line, up to 300 characters", () => {
    expect(recordedSubject("\n  npm test \nls")).toBe("npm test");
    expect(recordedSubject("x".repeat(500))).toBe(`${"x".repeat(299)}…`);
    expect(recordedSubject("  \n ")).toBeUndefined();
  });

  it("leaves no part of a secret, wherever the cut falls", () => {
    for (let before = 250; before < 310; before++) {
      const subject = recordedSubject(`${"y".repeat(before)} ${TOKEN} z`);
      expect(subject).not.toContain(TOKEN.slice(0, 8));
    }
    expect(recordedSubject(`echo <private>diary\nmore</private> done`)).not.toContain("diary");
    expect(recordedSubject(`echo <private>diary\nmore`)).not.toContain("diary");
    expect(
      recordedSubject(
        "echo '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----'",
      ),
    ).not.toContain("BEGIN RSA");
  });

  it("truncates the subject of a request, but not that of a task", () => {
    const long = "x".repeat(500);
    const request = { eventType: "permission", toolName: "Bash", subject: long } as unknown as HooklineEvent;
    expect(redactEvent(request)["subject"]).toHaveLength(300);
    const task = { eventType: "task.lifecycle", subject: long } as unknown as HooklineEvent;
    expect(redactEvent(task)["subject"]).toHaveLength(500);
  });

  it("is idempotent", () => {
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
        const once = recordedSubject(parts.join(""));
        expect(typeof once === "string" ? recordedSubject(once) : undefined).toBe(once);
      }),
    );
  });

  it("drops the subject in a private turn and when forgotten", () => {
    const payload = {
      toolName: "Bash",
      toolKind: "shell",
      subject: "diary",
      toolInput: { command: "diary" },
    };
    const call = { eventType: "tool.start", payload } as unknown as HooklineEvent;
    expect(withoutContent(call).payload).toEqual({ toolName: "Bash", toolKind: "shell", toolInput: null });
    expect(JSON.stringify(forgetContent(call))).not.toContain("diary");
    const request = { eventType: "permission", toolName: "Bash", toolKind: "shell", subject: "diary" };
    expect(withoutContent(request as unknown as HooklineEvent)["subject"]).toBeUndefined();
    // A word to forget may be the name of a kind.
    expect(JSON.stringify(contentOf(call))).toContain("diary");
    expect(JSON.stringify([contentOf(call), contentOf(request as unknown as HooklineEvent)])).not.toContain(
      "shell",
    );
  });

  it("returns undefined when masking does not converge", () => {
    expect(truncateSubject("a", (text) => (text === "a" ? "b" : "a"))).toBeUndefined();
  });
});
