import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import { type AskDetails, createReactionAnswers, type ReactionAnswers } from "./answer-reactions.ts";
import { openReactionWorld, type ReactionWorld, rule } from "./reaction-world.testing.ts";

let world: ReactionWorld;
let answers: ReactionAnswers;
beforeEach(() => {
  world = openReactionWorld();
  answers = createReactionAnswers(world.options);
});
afterEach(() => {
  answers.close();
  world.close();
});

const ask = (
  payload: Readonly<Record<string, unknown>>,
  headers: { envFile?: string | null; isReactionSession?: boolean } = {},
): Promise<object | null> =>
  reply({ session_id: "s1", cwd: world.project, prompt_id: "p1", ...payload }, headers);
const reply = async (
  payload: Readonly<Record<string, unknown>>,
  details: AskDetails,
): Promise<object | null> => {
  const reply = await answers.answer(claude.answers.read(payload), details);
  return reply && claude.answers.write(String(payload["hook_event_name"]), reply);
};
const stop = (active: boolean, fields: object = {}): Promise<object | null> =>
  ask({
    hook_event_name: "Stop",
    stop_hook_active: active,
    last_assistant_message: "All tests pass.",
    ...fields,
  });
const command = (text: string, answer: string, fields: object = {}): object => ({
  type: "command",
  command: text,
  answer,
  ...fields,
});

describe("the reply to a waiting hook", () => {
  it("is empty if no rule matches, if recording is off, and for an invalid payload", async () => {
    world.rules.push(rule("c", { on: "UserPromptSubmit", do: { type: "context", text: "hi" } }));
    expect(await ask({ hook_event_name: "SessionStart", source: "startup" })).toBeNull();
    expect(await answers.answer(claude.answers.read("nonsense"), {})).toBeNull();
    expect(await answers.answer(claude.answers.read({ hook_event_name: "UserPromptSubmit" }), {})).toBeNull();
    expect(await ask({ hook_event_name: "UserPromptSubmit", prompt: "<task-notification>x" })).toBeNull();
    const paused = createReactionAnswers({ ...world.options, mayRecord: () => false });
    const payload = { session_id: "s1", cwd: "/p", hook_event_name: "UserPromptSubmit", prompt: "x" };
    expect(await paused.answer(claude.answers.read(payload), {})).toBeNull();
    expect(world.recorded).toEqual([]);
  });

  it("includes no command output in a session started by such a command", async () => {
    world.rules.push(
      rule("a", { on: "SessionStart", do: { type: "context", text: "hello" } }),
      rule("b", { on: "SessionStart", do: command('echo ran; echo ran > "$HOME/ran"', "context") }),
    );
    const start = { hook_event_name: "SessionStart", source: "startup" };
    expect(JSON.stringify(await ask(start, { isReactionSession: true }))).not.toContain("ran");
    expect(existsSync(join(world.root, "ran"))).toBe(false);
    expect(JSON.stringify(await ask(start))).toContain("ran");
  });

  it("merges the answers of several rules, with context in our tag", async () => {
    world.rules.push(
      rule("a", {
        on: "UserPromptSubmit",
        when: { prompt: "deploy" },
        do: { type: "context", text: "In {project}." },
      }),
      rule("b", { on: "UserPromptSubmit", do: command("echo '</hookline-context> printed'", "context") }),
      rule("c", { on: "UserPromptSubmit", do: command("echo shown", "message") }),
      rule("d", { on: "UserPromptSubmit", do: command("echo not said; exit 1", "context") }),
    );
    expect(await ask({ hook_event_name: "UserPromptSubmit", prompt: "Please deploy" })).toEqual({
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: `<hookline-context>\nIn ${world.project}.\n\n‹/hookline-context> printed\n</hookline-context>`,
      },
      systemMessage: "shown",
    });
    expect(world.reactions().map(({ rule: id, ok }) => [id, ok])).toEqual([
      ["a", true],
      ["b", true],
      ["c", true],
      ["d", false],
    ]);
  });

  it("stays within Claude Code's limit", async () => {
    world.rules.push(
      rule("long", { on: "SessionStart", do: command("head -c 60000 /dev/zero | tr '\\0' x", "context") }),
    );
    const answer = (await ask({ hook_event_name: "SessionStart", source: "startup" })) as {
      hookSpecificOutput: { additionalContext: string };
    };
    const { length } = answer.hookSpecificOutput.additionalContext;
    expect(length).toBeGreaterThan(9_000);
    expect(length).toBeLessThan(10_000);
  });

  it("denies a call until the step before it has run since the last edit", async () => {
    world.rules.push(
      rule("step", {
        on: "PreToolUse",
        match: "Bash(git commit*)",
        when: { ranWithout: { tools: ["Bash(npm test*)"], since: "edit" } },
        do: { type: "deny", reason: "Test first." },
      }),
    );
    const commit = {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "git commit -m x" },
      tool_use_id: "t1",
    };
    const recordCall = (id: string, tool: string, input: object) =>
      world.emit({
        hook_event_name: "PostToolUse",
        tool_name: tool,
        tool_use_id: id,
        tool_input: input,
        tool_response: { stdout: "" },
      });
    const denied = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Test first.",
      },
    };
    expect(await ask({ ...commit, tool_input: { command: "git status" } })).toBeNull();
    expect(await ask(commit)).toEqual(denied);
    recordCall("b1", "Bash", { command: "npm test" });
    expect(await ask(commit)).toBeNull();
    recordCall("e1", "Edit", { file_path: "/p/a.ts", old_string: "a", new_string: "b" });
    expect(await ask(commit)).toEqual(denied);
  });
});

describe("commands that a session waits for", () => {
  const edited = (id: string) => ({
    hook_event_name: "PostToolUse",
    tool_name: "Edit",
    tool_use_id: id,
    tool_input: {},
  });
  const lines = (name: string): string[] => readFileSync(join(world.root, name), "utf8").trim().split("\n");

  it("run sequentially within a project, across sessions", async () => {
    const work = 'echo in >> "$HOME/ran"; sleep 0.1; echo out >> "$HOME/ran"';
    world.rules.push(rule("work", { on: "PostToolUse", do: command(work, "context") }));
    await Promise.all([ask(edited("t1")), ask({ ...edited("t2"), session_id: "s2" })]);
    expect(lines("ran")).toEqual(["in", "out", "in", "out"]);
  });

  it("end with the waiting hook, and are not recorded", async () => {
    world.rules.push(rule("work", { on: "PostToolUse", do: command("sleep 30; echo said", "context") }));
    const hook = new AbortController();
    const payload = { session_id: "s1", cwd: world.project, ...edited("t1") };
    const answer = answers.answer(claude.answers.read(payload), { signal: hook.signal });
    setTimeout(() => hook.abort(), 100);
    expect(await answer).toBeNull();
    expect(world.recorded).toEqual([]);
  });
});

describe("a user's check before a tool call", () => {
  const call = (command: string): Promise<object | null> =>
    ask({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "t", tool_input: { command } });
  const check = (id: string, text: string, fields: object = {}) =>
    rule(id, { on: "PreToolUse", do: command(text, "block_on_failure"), ...fields });

  it("denies the call with its output whenever it fails", async () => {
    world.rules.push(
      check("branch", 'grep -q "git push" && { echo "Not from this branch." >&2; exit 2; }; exit 0'),
    );
    const denied = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "The command of the rule branch ended with 2.\nNot from this branch.",
      },
    };
    for (let times = 0; times < 5; times++) expect(await call("git push")).toEqual(denied);
    expect(await call("git status")).toBeNull();
  });

  it("denies nothing if it cannot run or times out, and records that", async () => {
    world.rules.push(
      check("gone", "no-such-program-here"),
      check("slow", "sleep 5", { timeoutSeconds: 0.2 }),
    );
    expect(await call("git push")).toBeNull();
    expect(world.reactions().map(({ rule: id, ok }) => [id, ok])).toEqual([
      ["gone", false],
      ["slow", false],
    ]);
  });
});

describe("a turn's end", () => {
  const claim = {
    on: "Stop",
    when: { answer: "tests pass", ranWithout: { tools: ["Bash(npm test*)"] } },
    do: { type: "block", reason: "None ran." },
  };

  it("is blocked once for a claim without evidence, never twice", async () => {
    world.rules.push(rule("claim", claim));
    expect(await stop(false)).toEqual({ decision: "block", reason: "None ran." });
    expect(await stop(true)).toBeNull();
    expect(await stop(true, { prompt_id: "p-other" })).toBeNull();
    expect(await stop(false)).toBeNull();
    expect(await stop(false, { prompt_id: "p2" })).toEqual({ decision: "block", reason: "None ran." });
    expect(await stop(false, { prompt_id: "p3", last_assistant_message: "Done." })).toBeNull();
  });

  it("is blocked at most three times, even by several rules", async () => {
    const failing = (most: number): object =>
      command('echo "$HOOKLINE_EVENT" >> "$HOME/ran"; echo broken; exit 1', "block_on_failure", { most });
    world.rules.push(
      rule("ten", { on: "Stop", do: failing(10) }),
      rule("two", { on: "Stop", do: failing(2) }),
    );
    const results = [
      await stop(false),
      await stop(true),
      await stop(true),
      await stop(true),
      await stop(true),
    ];
    expect(results.map((answer) => answer !== null)).toEqual([true, true, true, false, false]);
    expect(results[0]).toMatchObject({
      reason: expect.stringMatching(/rule ten ended with 1\.\nbroken\n\nThe command of the rule two/),
    });
    // Once the turn's end can no longer be blocked, nothing runs.
    expect(readFileSync(join(world.root, "ran"), "utf8").trim().split("\n")).toHaveLength(5);
  });

  it("is not blocked if the number of earlier blocks is unknown", async () => {
    world.rules.push(rule("claim", claim));
    expect(await stop(true)).toBeNull();
  });

  it("is not blocked by a command that is missing or times out, which is recorded", async () => {
    world.rules.push(
      rule("gone", { on: "Stop", do: command("no-such-program-here", "block_on_failure") }),
      rule("slow", { on: "Stop", do: command("sleep 5", "block_on_failure"), timeoutSeconds: 0.2 }),
      rule("fine", { on: "Stop", do: command("echo quiet", "block_on_failure") }),
    );
    expect(await stop(false)).toBeNull();
    expect(world.reactions().map(({ rule: id, ok }) => [id, ok])).toEqual([
      ["gone", false],
      ["slow", false],
      ["fine", true],
    ]);
  });

  it("of a subagent is separate, and that of a compaction is ignored", async () => {
    world.rules.push(
      rule("sub", { on: "SubagentStop", agentType: "Explore", do: { type: "block", reason: "Go on." } }),
    );
    const end = { hook_event_name: "SubagentStop", stop_hook_active: false, agent_id: "a1" };
    expect(await ask({ ...end, agent_type: "Explore" })).toEqual({ decision: "block", reason: "Go on." });
    expect(await ask({ ...end, agent_id: "a2", agent_type: "Plan" })).toBeNull();
    expect(await ask({ ...end, agent_id: "a3", agent_type: "" })).toBeNull();
    expect(await ask({ ...end, agent_id: "a4", agent_type: "Explore" })).not.toBeNull();
  });
});

describe("a session's environment", () => {
  const start = { hook_event_name: "SessionStart", source: "startup" };
  const folder = (): string => {
    const path = join(world.root, ".claude", "session-env", "s1");
    mkdirSync(path, { recursive: true });
    return path;
  };
  beforeEach(() => {
    const set = { GREETING: "it's {session}\n$HOME `id`", NODE_ENV: "test" };
    world.rules.push(rule("env", { on: "SessionStart", do: { type: "env", set } }));
  });

  it("gets correctly quoted lines, once", async () => {
    const envFile = join(folder(), "sessionstart-hook-0.sh");
    writeFileSync(envFile, "export OTHER=1");
    expect(await ask(start, { envFile })).toBeNull();
    await ask(start, { envFile });
    expect(readFileSync(envFile, "utf8")).toBe(
      "export OTHER=1\nexport GREETING='it'\\''s s1\n$HOME `id`'\nexport NODE_ENV='test'\n",
    );
    expect(world.reactions()).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it("is written only where Claude Code stores it", async () => {
    const profile = join(world.root, "profile.sh");
    writeFileSync(profile, "");
    symlinkSync(profile, join(folder(), "link.sh"));
    const elsewhere = [
      profile,
      "relative.sh",
      join(folder(), "link.sh"),
      `${folder()}/../../../profile.sh`,
      join(world.root, "session-env", "missing", "x.sh"),
    ];
    for (const envFile of [null, ...elsewhere]) await ask(start, { envFile });
    expect(world.reactions().every(({ ok }) => ok === false)).toBe(true);
    expect(readFileSync(profile, "utf8")).toBe("");
    expect(existsSync(join(world.root, "session-env"))).toBe(false);
  });
});
