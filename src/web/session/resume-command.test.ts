import { expect, it } from "vitest";
import { jumpCommand, resumeCommand } from "./resume-command.ts";

const session = { sessionId: "ab-12", provider: "claude", cwd: "/home/dev/it's here", projectPath: null };

it("quotes the folder for a shell", () => {
  expect(resumeCommand(session)).toBe(`cd '/home/dev/it'\\''s here' && claude --resume ab-12`);
});

it("returns no command for unsafe values", () => {
  expect(resumeCommand({ ...session, sessionId: "a; rm b" })).toBeNull();
  expect(resumeCommand({ ...session, cwd: "/a\u202eb" })).toBeNull();
  expect(resumeCommand({ ...session, cwd: "relative" })).toBeNull();
  expect(resumeCommand({ ...session, provider: "other" })).toBeNull();
});

it("jumps only to running sessions with a known terminal", () => {
  const terminal = { tmux: null, tmuxPane: "%1", program: "tmux", sessionId: null, sshTty: null };
  expect(jumpCommand({ sessionId: "ab-12", terminal, endedAtIso: null })).toBe(
    "hookline session ab-12 --jump",
  );
  expect(jumpCommand({ sessionId: "ab-12", terminal: null, endedAtIso: null })).toBeNull();
  expect(jumpCommand({ sessionId: "--x", terminal, endedAtIso: null })).toBeNull();
});
