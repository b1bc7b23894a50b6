import { describe, expect, it } from "vitest";
import { callEvent, command, compressed } from "./call.testing.ts";

describe("compressCall of a denied call", () => {
  const deploy = (errorMessage: string, more: object = {}) => {
    const toolInput = { command: "npm run deploy" };
    const payload = { toolName: "Bash", toolInput, toolOutput: errorMessage, errorMessage, success: false };
    return compressed(payload, { event: { ...callEvent(payload), ...more } });
  };
  const byUser = { denial: "user-rejected" };

  it.each([
    ["in the agent's own words", "The user doesn't want to proceed with this tool use. It was rejected.", {}],
    ["from here without a word", "The user declined this request.", {}],
    ["by a program that uses the library", "User denied", byUser],
    [
      "of a subagent, with the agent's advice to the model",
      "Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written). STOP what you are doing.",
      byUser,
    ],
  ])("is no failure %s", (_how, error, more) => {
    const facts = ["Command: npm run deploy"];
    expect(deploy(error, more)).toMatchObject({
      type: "command",
      title: "User refused: npm run deploy",
      facts,
    });
  });

  it.each([
    ["the transcript's kind of denial", byUser],
    ["the transcript's decision", { permissionDecision: { decision: "reject", source: "hook" } }],
    [
      "the hook that answered",
      {
        denial: "permission-rule",
        permissionDecision: { decision: "reject", source: "hook", reasonCode: "hook:PermissionRequest" },
      },
    ],
  ])("is the person's decision with a reason, known by %s", (_by, more) => {
    expect(deploy("use canary", more)).toMatchObject({
      type: "decision",
      title: "User refused: npm run deploy (use canary)",
      facts: ["The user said: use canary", "Command: npm run deploy"],
    });
    expect(deploy("use canary").type).toBe("failure");
  });

  it.each([
    ["Hookline: Secrets stay here. [builtin/secret-file]", {}],
    ["Permission to use Bash with command npm run deploy has been denied.", { denial: "permission-rule" }],
    [
      "npm run deploy needs approval.",
      { denial: "user-rejected", permissionDecision: { decision: "reject", source: "config" } },
    ],
  ])("is no failure if a rule or the mode denied it: %s", (error, more) => {
    expect(deploy(error, more)).toMatchObject({
      type: "command",
      title: "Not allowed: npm run deploy",
      facts: [`Reason: ${error}`, "Command: npm run deploy"],
    });
  });

  it("is no failure if a hook denied it, even before the transcript records it", () => {
    const error = "PreToolUse:Bash hook error: Hookline: Not this file. [user/no-denied]";
    expect(deploy(error)).toMatchObject({
      type: "command",
      title: "Not allowed: npm run deploy",
      facts: ["Reason: Hookline: Not this file. [user/no-denied]", "Command: npm run deploy"],
    });
    expect(deploy("PreToolUse:mcp__a__b hook error: No.").type).toBe("command");
  });

  it("is interrupted, neither refused nor failed, if its session ended or Esc was pressed", () => {
    const error = "[Tool call interrupted: the session ended before this call's result was recorded.]";
    expect(deploy(error, { denial: "interrupted" })).toMatchObject({
      type: "command",
      title: "Interrupted: npm run deploy",
      facts: ["Its outcome is unknown", "Command: npm run deploy"],
    });
  });

  it("is not mistaken for a command that was itself denied something", () => {
    const output = "npm error code E403\nnpm error publish denied by registry";
    expect(command("npm publish", { output, exitCode: 1 }).type).toBe("failure");
    const merge = { output: "the merge requires approval of a reviewer", exitCode: 1 };
    expect(command("gh pr merge", merge).type).toBe("failure");
    expect(command("cat /etc/shadow", { output: "cat: Permission denied", exitCode: 1 }).type).toBe(
      "failure",
    );
  });
});

describe("compressCall of a call that succeeded", () => {
  it("is no failure, whatever its output says", () => {
    for (const output of ["Exit code 1\nold log", "Error: Exit code: 3", "TypeError: x is undefined"]) {
      const payload = { toolName: "Bash", toolInput: { command: "cat build.log" }, toolOutput: output };
      expect(compressed({ ...payload, success: true }).type).toBe("discovery");
    }
    const search = { toolName: "Bash", toolInput: { command: "make lint" }, success: true };
    expect(compressed({ ...search, metadata: { exitCode: 1 } }).type).toBe("command");
  });

  it("is a failure by exit code if success is not reported", () => {
    const payload = { toolName: "Bash", toolInput: { command: "make lint" }, toolOutput: "no" };
    expect(compressed({ ...payload, metadata: { exitCode: 2 } }).type).toBe("failure");
  });
});
