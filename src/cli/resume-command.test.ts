import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { quoteWordIfNeeded } from "../shell/quote-word.ts";
import { resumeCommand } from "./resume-command.ts";
import { snapshot } from "./snapshot.testing.ts";

describe("the command that resumes a session", () => {
  it("goes to its folder first", () => {
    expect(resumeCommand(snapshot())).toBe(
      "cd /home/dev/acme-shop && claude --resume 1a2b3c4d-0000-4000-8000-000000000001",
    );
    expect(resumeCommand(snapshot({ cwd: "/home/dev/it's $(here)" }))).toContain(
      "cd '/home/dev/it'\\''s $(here)' && ",
    );
  });

  it.each([
    [{ sessionId: "--dangerously-skip-permissions" }, /id/],
    [{ sessionId: "a; rm -rf ~" }, /id/],
    [{ cwd: "/tmp/\u001b[2J" }, /not safe/],
    [{ cwd: "-x" }, /not safe/],
    [{ cwd: null, projectPath: null }, /folder/],
    [{ provider: "codex" }, /codex/],
  ])("is rejected for %j", (changes, why) => {
    expect(() => resumeCommand(snapshot(changes))).toThrow(why);
  });

  it.each(["plain", "two words", "it's", '$(id) `id` "x" \\ *', "결제", ""])(
    "is quoted so that a shell reads %j",
    (text) => {
      expect(
        execFileSync("/bin/sh", ["-c", `printf %s ${quoteWordIfNeeded(text)}`], { encoding: "utf8" }),
      ).toBe(text);
    },
  );
});
