import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { type HooklineEvent, isEvent, ORIGINS } from "../event/event.ts";
import { foldEvent } from "./fold-event.ts";
import { readSession } from "./read-session.ts";
import { createSessionView } from "./session-view.ts";
import { ATTENDED, createStory, iso } from "./story.testing.ts";

/** A session that has started and is working on its first prompt. */
function startedStory() {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup", model: "claude-opus-5-5" }, ATTENDED);
  story.prompt(1, "p1", "add a basket");
  return story;
}

describe("a session", () => {
  it("is busy when it starts, and interactable once it is quiet", () => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup", model: "claude-opus-5-5" }, ATTENDED);
    expect(story.at(1)).toMatchObject({ state: "active", activityPhase: "busy", attended: true, pid: 100 });
    expect(story.at(10)).toMatchObject({ state: "active", activityPhase: "interactable" });
    expect(story.at(10)).toMatchObject({
      model: "claude-opus-5-5",
      startedAtIso: iso(0),
      needsPerson: false,
    });
  });

  it("starts, as a fork, with its own first prompt, not with copied messages", () => {
    const story = createStory();
    const usage = { input_tokens: 100, output_tokens: 20 };
    const message = { id: "m1", role: "assistant", model: "claude-opus-5-5", content: [], usage };
    story.line(600, { type: "queue-operation", operation: "enqueue" });
    story.line(5, { type: "assistant", uuid: "u1", message });
    expect(story.events.map((event) => event["name"])).toEqual(["inherited-message"]);
    story.prompt(601, "p1", "another way");
    expect(story.at(602)).toMatchObject({
      startedAtIso: iso(601),
      cost: { micros: 0 },
      contextTokens: 100,
    });
  });

  it("works on its last prompt, and is interactable when the turn ends", () => {
    const story = startedStory();
    expect(story.at(2)).toMatchObject({
      activityPhase: "busy",
      sinceIso: iso(1),
      lastUserMessage: "add a basket",
      action: { toolName: null, text: "thinking" },
      why: "Working on: add a basket",
      turnCount: 1,
    });
    story.stop(20, "p1", { last_assistant_message: "There is a basket." });
    expect(story.at(21)).toMatchObject({
      activityPhase: "interactable",
      sinceIso: iso(20),
      lastAssistantMessage: "There is a basket.",
      needsPerson: false,
    });
    story.prompt(30, "p2", "now a till");
    expect(story.at(31)).toMatchObject({
      activityPhase: "busy",
      sinceIso: iso(30),
      lastUserMessage: "now a till",
      turnCount: 2,
    });
  });

  it("is titled by its latest prompt that says enough, until it has a title", () => {
    const story = startedStory();
    story.prompt(30, "p2", "Round the total to whole cents");
    story.prompt(60, "p3", "yes, go on");
    expect(story.at(61)).toMatchObject({
      title: "Round the total to whole cents",
      lastUserMessage: "yes, go on",
    });
    story.stop(62, "p3", { session_title: "A basket for the shop" });
    expect(story.at(63)).toMatchObject({ title: "A basket for the shop" });
  });

  it("shows the running call, and counts failed calls", () => {
    const story = startedStory();
    story.startCall(2, "t1", "npm test\necho done");
    expect(story.at(3)).toMatchObject({
      activityPhase: "busy",
      action: { toolName: "Bash", text: "npm test\necho done", toolUseId: "t1", sinceIso: iso(2) },
      why: "Running Bash: npm test",
    });
    story.hook(9, "PostToolUseFailure", {
      ...{ tool_name: "Bash", tool_input: { command: "npm test\necho done" }, tool_use_id: "t1" },
      ...{ prompt_id: "p1", error: "Exit code 1" },
    });
    expect(story.at(9)).toMatchObject({ action: { toolName: null }, toolCount: 1, failedToolCount: 1 });
  });

  it("does not count a denied call as failed", () => {
    const story = startedStory();
    for (const [at, kind, result] of [
      [2, "user-rejected", "User rejected tool use"],
      [4, "permission-rule", "Error: Permission to use Bash with command rm x has been denied."],
      [6, undefined, "Error: The user doesn't want to proceed with this tool use. The tool use was rejected"],
      [8, undefined, "Error: Exit code 1"],
    ] as const) {
      const id = `toolu_${at}`;
      const input = { command: "rm x" };
      const uses = [{ type: "tool_use", id, name: "Bash", input }];
      story.line(at, { type: "assistant", message: { id: `m${at}`, role: "assistant", content: uses } });
      const results = [{ type: "tool_result", tool_use_id: id, is_error: true, content: result.slice(7) }];
      story.line(at + 1, {
        ...{ type: "user", promptId: "p1", message: { role: "user", content: results } },
        ...{ toolUseResult: result, ...(kind !== undefined && { toolDenialKind: kind }) },
      });
    }
    expect(story.at(9)).toMatchObject({ toolCount: 4, failedToolCount: 1 });
  });

  it("continues a turn that a Stop hook kept from ending", () => {
    const story = startedStory();
    story.stop(10, "p1");
    story.startCall(12, "t1", "npm test");
    expect(story.at(13)).toMatchObject({ activityPhase: "busy", action: { text: "npm test" } });
    story.stop(20, "p1", { stop_hook_active: true });
    expect(story.at(21)).toMatchObject({ activityPhase: "interactable", sinceIso: iso(20) });
  });

  it("shows a skill while it is in use", () => {
    const story = startedStory();
    const skill = {
      tool_name: "Skill",
      tool_input: { skill: "release" },
      prompt_id: "p1",
      tool_use_id: "t1",
    };
    expect(story.at(2).currentSkill).toBeNull();
    story.hook(3, "PreToolUse", skill);
    expect(story.at(3).currentSkill).toBe("release");
    story.hook(5, "PostToolUse", { ...skill, tool_response: {} });
    expect(story.at(5).currentSkill).toBeNull();
  });

  it("shows the skill of a slash command until the turn ends", () => {
    const story = startedStory();
    const fields = { expansion_type: "slash_command", command_name: "release", command_args: "1.2" };
    story.hook(2, "UserPromptExpansion", { ...fields, prompt_id: "p1", prompt: "/release 1.2" });
    expect(story.at(3).currentSkill).toBe("release");
    story.stop(9, "p1");
    expect(story.at(9).currentSkill).toBeNull();
  });

  it("compacts and continues", () => {
    const story = startedStory();
    story.hook(5, "PreCompact", { trigger: "auto", prompt_id: "p1" });
    expect(story.at(6)).toMatchObject({ activityPhase: "compacting", sinceIso: iso(5) });
    story.hook(9, "SessionStart", { source: "compact" });
    story.hook(9.1, "PostCompact", { trigger: "auto", compact_summary: "All of it." });
    expect(story.at(10)).toMatchObject({ activityPhase: "busy", sinceIso: iso(1), attended: true });
  });

  it("is interactable after a compaction, and does not count the summarising agents as subagents", () => {
    const story = startedStory();
    story.stop(3, "p1");
    story.hook(5, "PreCompact", { trigger: "manual", prompt_id: "p2" });
    for (const agent_id of ["a1", "a2"])
      story.hook(6, "SubagentStop", { agent_id, agent_type: "", prompt_id: "p2", background_tasks: [] });
    story.hook(7, "SessionStart", { source: "compact", prompt_id: "p2" });
    story.hook(7.1, "PostCompact", { trigger: "manual", prompt_id: "p2", compact_summary: "All of it." });
    const INTERACTABLE = { activityPhase: "interactable", subagents: [] };
    expect(story.at(8)).toMatchObject(INTERACTABLE);
    // The message of one of them is reported late, by its transcript.
    const message = { id: "m1", model: "claude-opus-5-5", role: "assistant", content: [], usage: {} };
    story.line(8, { type: "assistant", uuid: "u1", isSidechain: true, agentId: "a1", message });
    expect(story.at(9)).toMatchObject(INTERACTABLE);
    const view = createSessionView("s1", claude.usage);
    for (const event of story.events.toReversed()) foldEvent(view, event);
    expect([...view.subagents]).toEqual([]);
  });

  it("shows that a private turn runs, but none of its content", () => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
    story.prompt(1, "p1", "<private>buy Globex</private>");
    story.startCall(2, "t1", "mail Globex");
    expect(story.at(3)).toMatchObject({ activityPhase: "busy", action: { toolName: "Bash", text: "" } });
    story.requestPermission(3, "mail Globex");
    const shown = story.at(4);
    expect(shown).toMatchObject({ activityPhase: "waiting_permission", needsPerson: true });
    expect(shown).toMatchObject({ waiting: { toolName: "Bash", text: "" }, lastUserMessage: "(private)" });
    story.endCall(5, "t1", "mail Globex");
    story.stop(6, "p1", { last_assistant_message: "Globex is bought." });
    expect(story.at(7)).toMatchObject({ activityPhase: "interactable", lastAssistantMessage: null });
    expect(JSON.stringify([shown, story.at(7)])).not.toMatch(/Globex/);
  });
});

describe("a session's end", () => {
  it("is reported by its agent", () => {
    const story = startedStory();
    story.stop(5, "p1");
    story.hook(9, "SessionEnd", { reason: "prompt_input_exit" });
    expect(story.at(9)).toMatchObject({
      state: "completed",
      activityPhase: null,
      endedAtIso: iso(9),
      endReason: "prompt_input_exit",
      why: "Exited.",
    });
  });

  it("is not undone by a late failure of its last turn", () => {
    const story = startedStory();
    story.hook(9, "SessionEnd", { reason: "other" });
    story.hook(9.2, "StopFailure", { prompt_id: "p1", error: "server_error" });
    expect(story.at(10)).toMatchObject({ state: "completed", needsPerson: false, endedAtIso: iso(9) });
  });

  it("counts as lost when the process disappears, until the end is reported", () => {
    const story = startedStory();
    story.requestPermission(3, "rm -r dist");
    story.processGone(5);
    expect(story.at(6)).toMatchObject({
      state: "lost",
      activityPhase: null,
      waiting: null,
      needsPerson: false,
      endedAtIso: iso(5),
    });
    story.hook(4.5, "SessionEnd", { reason: "other" });
    expect(story.at(7)).toMatchObject({ state: "completed", endReason: "other" });
  });

  it("is undone by a resume, in the same process or another", () => {
    for (const pid of [100, 200]) {
      const story = startedStory();
      story.stop(5, "p1");
      story.hook(9, "SessionEnd", { reason: "other" });
      story.hook(60, "SessionStart", { source: "resume" }, { pid, ...ATTENDED });
      expect(story.at(70)).toMatchObject({ state: "active", activityPhase: "interactable", pid });
      story.hook(80, "UserPromptSubmit", { prompt_id: "p2", prompt: "more" }, { pid });
      expect(story.at(81)).toMatchObject({ activityPhase: "busy", lastUserMessage: "more" });
      story.hook(90, "SessionEnd", { reason: "other" }, { pid });
      expect(story.at(91)).toMatchObject({ state: "completed", endedAtIso: iso(90) });
    }
  });

  it("is reported by the process that ran last, even if the one before disappeared unnoticed", () => {
    const story = startedStory();
    story.hook(60, "SessionStart", { source: "resume" }, { pid: 200, ...ATTENDED });
    expect(story.at(70)).toMatchObject({ state: "active", pid: 200 });
    story.hook(90, "SessionEnd", { reason: "other" }, { pid: 200 });
    expect(story.at(91)).toMatchObject({ state: "completed", endedAtIso: iso(90), endReason: "other" });
  });

  it("does not count while another process still works on the session", () => {
    const story = startedStory();
    story.hook(60, "SessionStart", { source: "resume" }, { pid: 200, ...ATTENDED });
    story.startCall(70, "t1", "npm test");
    story.hook(90, "SessionEnd", { reason: "other" }, { pid: 200 });
    expect(story.at(91)).toMatchObject({ state: "active", pid: 100 });
  });

  it("comes with /clear, and another session continues in the process", () => {
    const story = startedStory();
    const next = createStory("s2");
    story.stop(5, "p1");
    story.hook(9, "SessionEnd", { reason: "clear" });
    next.hook(9.1, "SessionStart", { source: "clear" }, ATTENDED);
    expect(story.at(10)).toMatchObject({ state: "completed", endReason: "clear" });
    expect(next.at(20)).toMatchObject({ state: "active", activityPhase: "interactable", pid: 100 });
  });
});

describe("subagents", () => {
  const scout = { agent_id: "a1", agent_type: "scout" };

  it("are shown with their calls, and park a session whose turn ends before them", () => {
    const story = startedStory();
    story.hook(2, "SubagentStart", scout);
    story.startCall(3, "t1", "ls", scout);
    expect(story.at(4)).toMatchObject({
      activityPhase: "busy",
      subagents: [{ agentId: "a1", agentType: "scout", isRunning: true, action: { text: "ls" } }],
    });
    story.stop(5, "p1", {
      background_tasks: [{ id: "a1", type: "subagent", status: "running", description: "Look" }],
    });
    expect(story.at(600)).toMatchObject({
      state: "active",
      activityPhase: "parked",
      why: "Turn finished; still running: Look",
      backgroundTasks: [{ id: "a1", description: "Look" }],
    });
    story.hook(700, "SubagentStop", scout);
    expect(story.at(701)).toMatchObject({ activityPhase: "interactable", backgroundTasks: [] });
  });

  it("no longer park a session when its next turn no longer lists them", () => {
    const story = startedStory();
    const background_tasks = [{ id: "b1", type: "shell", status: "running", command: "npm run dev" }];
    story.stop(5, "p1", { background_tasks });
    expect(story.at(6)).toMatchObject({ activityPhase: "parked" });
    story.prompt(9, "p2", "<task-notification>b1 is done</task-notification>");
    expect(story.at(9)).toMatchObject({ activityPhase: "busy", turnCount: 1 });
    story.stop(12, "p2");
    expect(story.at(13)).toMatchObject({ activityPhase: "interactable", lastUserMessage: "add a basket" });
  });

  it("stopped by hand, without an event, no longer run in the next turn", () => {
    const story = startedStory();
    story.hook(2, "SubagentStart", scout);
    story.line(5, { type: "user", promptId: "p1", message: { content: "[Request interrupted by user]" } });
    story.stop(5, "p1");
    story.prompt(60, "p2", "something else");
    expect(story.at(61).subagents).toMatchObject([{ agentId: "a1", isRunning: false }]);
    expect(story.at(700)).toMatchObject({ state: "idle" });
  });
});

describe("a stream of another program", () => {
  const emitLifecycle = (story: ReturnType<typeof createStory>, seconds: number, phase: string): void =>
    story.stream(seconds, { eventType: "session.lifecycle", phase });

  it("reports states through lifecycle phases alone", () => {
    const story = createStory();
    emitLifecycle(story, 0, "started");
    expect(story.at(1)).toMatchObject({
      state: "active",
      activityPhase: "busy",
      pid: null,
      provider: "codex",
    });
    emitLifecycle(story, 5, "waiting_permission");
    expect(story.at(6)).toMatchObject({
      activityPhase: "waiting_permission",
      needsPerson: true,
      waiting: { kind: "permission", toolName: null, text: "" },
    });
    story.stream(9, { eventType: "turn.end" });
    expect(story.at(10)).toMatchObject({ activityPhase: "interactable", waiting: null });
    emitLifecycle(story, 12, "waiting_question");
    expect(story.at(13)).toMatchObject({ activityPhase: "waiting_question" });
    emitLifecycle(story, 20, "ended");
    expect(story.at(21)).toMatchObject({ state: "completed", endedAtIso: iso(20) });
  });

  it("ends a wait on any later activity", () => {
    const story = createStory();
    emitLifecycle(story, 0, "started");
    emitLifecycle(story, 5, "waiting_permission");
    emitLifecycle(story, 30, "waiting_permission");
    expect(story.at(31)).toMatchObject({ alsoWaiting: 0, waiting: { sinceIso: iso(30) } });
    story.stream(40, { eventType: "skill.lifecycle", phase: "in_progress", skillName: "x", toolUseId: "t" });
    expect(story.at(41)).toMatchObject({ needsPerson: false, waiting: null });
    emitLifecycle(story, 50, "waiting_question");
    emitLifecycle(story, 60, "ended");
    emitLifecycle(story, 90, "started");
    expect(story.at(99)).toMatchObject({ state: "active", activityPhase: "interactable", waiting: null });
  });

  it("has turns without ids: the newest counts", () => {
    const story = createStory();
    emitLifecycle(story, 0, "started");
    story.stream(1, { eventType: "turn.start", prompt: "one" });
    story.stream(9, { eventType: "turn.end" });
    story.stream(60, { eventType: "turn.start", prompt: "two" });
    expect(story.at(61)).toMatchObject({ activityPhase: "busy", sinceIso: iso(60), lastUserMessage: "two" });
    story.stream(70, { eventType: "turn.end" });
    expect(story.at(71)).toMatchObject({ activityPhase: "interactable" });
  });

  it("completes the session a day after its last event, as it has no process to check", () => {
    const story = createStory();
    emitLifecycle(story, 0, "started");
    expect(story.at(23 * 3_600)).toMatchObject({ state: "idle" });
    expect(story.at(25 * 3_600)).toMatchObject({
      state: "completed",
      endedAtIso: iso(0),
      activityPhase: null,
    });
  });
});

describe("a clock that was moved back by an hour", () => {
  const HOUR_S = 3_600;

  it("between two turns changes no state", () => {
    const story = startedStory();
    story.stop(20, "p1", { last_assistant_message: "one" });
    story.prompt(30 - HOUR_S, "p2", "now a till");
    expect(story.at(31 - HOUR_S)).toMatchObject({ activityPhase: "busy", lastUserMessage: "now a till" });
    story.stop(40 - HOUR_S, "p2", { last_assistant_message: "two" });
    expect(story.at(41 - HOUR_S)).toMatchObject({
      activityPhase: "interactable",
      lastAssistantMessage: "two",
    });
  });

  it("between a request and its answer still ends the wait", () => {
    const story = startedStory();
    story.startCall(10, "t1", "rm -r dist");
    story.requestPermission(11, "rm -r dist");
    expect(story.at(12 - HOUR_S)).toMatchObject({ activityPhase: "waiting_permission" });
    story.endCall(20 - HOUR_S, "t1", "rm -r dist");
    expect(story.at(21 - HOUR_S)).toMatchObject({ activityPhase: "busy", waiting: null, humanWaitMs: 0 });
    story.requestPermission(30 - HOUR_S, "rm -r node_modules");
    expect(story.at(31 - HOUR_S)).toMatchObject({ activityPhase: "waiting_permission" });
    story.stop(40 - HOUR_S, "p1");
    expect(story.at(41 - HOUR_S)).toMatchObject({ activityPhase: "interactable" });
  });

  it("between an end and a resume leaves the session running without its old request", () => {
    const story = startedStory();
    story.requestPermission(10, "rm -r dist");
    story.hook(20 - HOUR_S, "SessionEnd", { reason: "other" });
    expect(story.at(21 - HOUR_S)).toMatchObject({ state: "completed" });
    story.hook(30 - 2 * HOUR_S, "SessionStart", { source: "resume" }, ATTENDED);
    expect(story.at(40 - 2 * HOUR_S)).toMatchObject({ state: "active", activityPhase: "interactable" });
    story.hook(50 - 2 * HOUR_S, "SessionEnd", { reason: "other" });
    expect(story.at(51 - 2 * HOUR_S)).toMatchObject({ state: "completed", endedAtIso: iso(50 - 2 * HOUR_S) });
  });

  it("during a compaction does not leave the session compacting", () => {
    const story = startedStory();
    story.hook(10, "PreCompact", { trigger: "manual" });
    story.hook(20 - HOUR_S, "PostCompact", { trigger: "manual" });
    expect(story.at(21 - HOUR_S)).toMatchObject({ activityPhase: "busy" });
  });
});

describe("repeated events", () => {
  it("leave the view unchanged, however late they are", () => {
    const story = startedStory();
    story.startCall(30, "t1", "npm test");
    story.endCall(60, "t1", "npm test");
    story.stop(90, "p1");
    story.prompt(120, "p2", "more");
    story.stop(150, "p2");
    const before = story.at(160);
    for (const event of story.events) foldEvent(story.view, event);
    expect(story.at(160)).toEqual(before);
  });
});

describe("an event of any shape", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom("__proto__", "constructor", "__defineGetter__", "toString", "p1", ""),
  );
  const types = [
    ...["session.lifecycle", "session.evidence", "turn.start", "turn.end", "turn.failed", "tool.start"],
    ...["tool_observation", "assistant.message", "skill.lifecycle", "subagent.lifecycle", "permission"],
    ...["compaction", "model.switch", "agent.event", "__proto__", "__defineGetter__", "constructor"],
  ];
  const phases = [
    "started",
    "ended",
    "waiting_permission",
    "requested",
    "gone",
    "busy",
    "waiting",
    "stopped",
  ];
  const names = ["api-error", "cost-state", "inherited-message", "title", "Elicitation", "ElicitationResult"];
  const usually = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() });
  const anyEvent = fc.record(
    {
      v: fc.constant(1),
      id: text,
      eventType: fc.constantFrom(...types),
      phase: fc.constantFrom(...phases, null),
      occurredAtIso: fc.oneof(fc.constantFrom(iso(0), iso(60), iso(-4_000)), fc.string({ minLength: 1 })),
      sessionId: fc.constant("s1"),
      provider: fc.constant("claude"),
      projectPath: fc.constantFrom(null, "/p"),
      cwd: fc.constantFrom(null, "/p"),
      agentId: fc.constantFrom(null, "a1"),
      promptId: fc.constantFrom(null, "p1", "p2"),
      toolUseId: fc.constantFrom(null, "t1", "t2"),
      origin: fc.constantFrom(...ORIGINS),
      pid: usually(fc.integer()),
      name: usually(fc.constantFrom(...names)),
      payload: usually(
        fc.record({
          toolName: usually(text),
          toolKind: fc.jsonValue(),
          subject: fc.jsonValue(),
          toolInput: fc.jsonValue(),
          durationMs: usually(fc.double()),
          success: usually(fc.boolean()),
        }),
      ),
      data: usually(
        fc.record({
          retryInMs: usually(fc.double()),
          status: usually(fc.constant(429)),
          resetsAtIso: usually(text),
          message: fc.jsonValue(),
          modelUsage: fc.jsonValue(),
        }),
      ),
      toolName: usually(text),
      toolKind: fc.jsonValue(),
      subject: fc.jsonValue(),
      toolInput: fc.jsonValue(),
      prompt: fc.jsonValue(),
      error: fc.jsonValue(),
      env: fc.jsonValue(),
      usage: fc.jsonValue(),
      model: usually(text),
      blocks: fc.jsonValue(),
      backgroundTasks: fc.jsonValue(),
      extra: fc.jsonValue(),
      attended: fc.jsonValue(),
      mergedFrom: fc.constant(undefined),
    },
    {
      requiredKeys: [
        "v",
        "id",
        "eventType",
        "occurredAtIso",
        "sessionId",
        "provider",
        "projectPath",
        "cwd",
        "origin",
      ],
    },
  );

  it("folds and reads without throwing, and the snapshot serialises", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), fc.nat({ max: 400_000 }), (events, quietMs) => {
        const view = createSessionView("s1", claude.usage);
        for (const event of events as unknown[]) if (isEvent(event)) foldEvent(view, event as HooklineEvent);
        if (view.firstAt === "") return;
        const shown = readSession(view, { nowMs: Date.parse(iso(100)), quietMs });
        expect(shown.why).not.toBe("");
        expect(shown.evidence.length).toBeGreaterThan(0);
        JSON.stringify(shown);
      }),
      { numRuns: 500 },
    );
  });
});
