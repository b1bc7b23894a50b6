import { describe, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { waitDurationMs } from "../shown/wait-duration.ts";
import { foldEvent } from "./fold-event.ts";
import { finalizeWaits } from "./read-waits.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

/** An attended session, busy. */
function startedStory(): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "p1", "clean up");
  return story;
}

const firstAndRest = ({ waiting, alsoWaiting }: SessionSnapshot): unknown => [waiting?.text, alsoWaiting];
const scout = { agent_id: "a1", agent_type: "scout" };

describe("a session waits", () => {
  it("for a permission, with the exact command", () => {
    const story = startedStory();
    const command = "rm -r dist &&\n  npm run build";
    story.startCall(2, "t1", command);
    story.requestPermission(2.1, command);
    expect(story.at(3)).toMatchObject({
      state: "active",
      activityPhase: "waiting_permission",
      needsPerson: true,
      sinceIso: iso(2.1),
      why: "Wants to run Bash: rm -r dist && …",
      waiting: {
        kind: "permission",
        toolName: "Bash",
        toolUseId: "t1",
        text: command,
        questions: [],
        agentId: null,
        sinceIso: iso(2.1),
      },
      evidence: [{ source: "hook", what: "request", atIso: iso(2.1) }],
    });
  });

  it("no longer when its call was denied automatically, while an equal request still waits", () => {
    const story = startedStory();
    const request = { tool_name: "Bash", tool_input: { command: "npm test" }, prompt_id: "p1" };
    story.startCall(2, "t1", "npm test");
    story.requestPermission(2.1, "npm test");
    story.startCall(2.2, "t2", "npm test");
    story.requestPermission(2.3, "npm test");
    expect(story.at(3).requests).toHaveLength(2);
    story.hook(3.1, "PermissionDenied", { ...request, tool_use_id: "t1", reason: "no" });
    expect(story.at(4).requests.map(({ sinceIso }) => sinceIso)).toEqual([iso(2.3)]);
    story.hook(4.1, "PermissionDenied", { ...request, tool_use_id: "t2", reason: "no" });
    expect(story.at(5)).toMatchObject({ requests: [], needsPerson: false });
  });

  it("no longer when its call ran, although an equal earlier request was refused", () => {
    for (const isNewTurn of [false, true]) {
      const story = startedStory();
      story.startCall(2, "t1", "npm test");
      story.requestPermission(2.1, "npm test");
      story.registryStatus(2.2, "waiting", "permission prompt");
      // Esc: no hook reports it.
      story.registryStatus(4, "busy");
      if (isNewTurn) story.prompt(4.5, "p2", "once more");
      const turn = { prompt_id: isNewTurn ? "p2" : "p1" };
      story.startCall(5, "t2", "npm test", turn);
      story.requestPermission(5.1, "npm test", turn);
      story.registryStatus(5.2, "waiting", "permission prompt");
      expect(story.at(6).requests.map(({ sinceIso }) => sinceIso)).toEqual([iso(5.1)]);
      story.endCall(7, "t2", "npm test", turn);
      expect(story.at(8)).toMatchObject({ requests: [], needsPerson: false });
    }
    const story = startedStory();
    story.startCall(2, "t1", "npm test", scout);
    story.requestPermission(2.1, "npm test", scout);
    story.hook(3, "SubagentStop", { ...scout, prompt_id: "p1" });
    story.startCall(5, "t2", "npm test", scout);
    story.requestPermission(5.1, "npm test", scout);
    story.endCall(7, "t2", "npm test", scout);
    expect(story.at(8).requests).toEqual([]);
  });

  it("for an answer, with the questions and their options", () => {
    const story = startedStory();
    const questions = [
      {
        question: "Which database?",
        header: "Database",
        multiSelect: true,
        options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
      },
      { question: "When?", options: [] },
    ];
    const request = { tool_name: "AskUserQuestion", tool_input: { questions }, prompt_id: "p1" };
    story.hook(2, "PreToolUse", { ...request, tool_use_id: "t1" });
    story.hook(2.1, "PermissionRequest", request);
    const shown = story.at(3);
    expect(shown).toMatchObject({ activityPhase: "waiting_question", why: "Asks: Which database? …" });
    expect(shown.waiting).toMatchObject({ kind: "question", text: "Which database?\nWhen?" });
    expect(shown.waiting!.questions).toEqual([
      {
        question: "Which database?",
        header: "Database",
        multiSelect: true,
        options: [
          { label: "SQLite", description: "one file" },
          { label: "Postgres", description: null },
        ],
      },
      { question: "When?", header: null, multiSelect: false, options: [] },
    ]);
    // The answer becomes part of the input.
    const tool_input = { questions, answers: { "Which database?": "SQLite" } };
    story.hook(60, "PostToolUse", { ...request, tool_input, tool_use_id: "t1", tool_response: {} });
    expect(story.at(61)).toMatchObject({ activityPhase: "busy", waiting: null, humanWaitMs: 57_900 });
  });

  it("for a plan to be approved", () => {
    const story = startedStory();
    const request = { tool_name: "ExitPlanMode", tool_input: { plan: "1. Build\n2. Ship" }, prompt_id: "p1" };
    story.hook(2, "PermissionRequest", request);
    expect(story.at(3)).toMatchObject({
      activityPhase: "waiting_plan",
      why: "Wants approval for a plan: 1. Build …",
      waiting: { kind: "plan", text: "1. Build\n2. Ship" },
    });
  });

  it("for an answer that an MCP server requests", () => {
    const story = startedStory();
    story.hook(2, "Elicitation", { mcp_server_name: "shop", message: "Which shop?", prompt_id: "p1" });
    expect(story.at(3)).toMatchObject({
      activityPhase: "waiting_question",
      waiting: { text: "Which shop?", questions: [{ question: "Which shop?" }] },
    });
    story.hook(9, "ElicitationResult", { mcp_server_name: "shop", action: "accept", prompt_id: "p1" });
    expect(story.at(9)).toMatchObject({ activityPhase: "busy", waiting: null, humanWaitMs: 7_000 });
  });

  it("until its own MCP server has the answer, whatever others get", () => {
    const story = startedStory();
    story.hook(2, "Elicitation", { mcp_server_name: "shop", message: "Which shop?", prompt_id: "p1" });
    story.hook(3, "Elicitation", { mcp_server_name: "bank", message: "Which bank?", prompt_id: "p1" });
    expect(firstAndRest(story.at(4))).toEqual(["Which shop?", 1]);
    story.hook(9, "ElicitationResult", { mcp_server_name: "bank", action: "accept", prompt_id: "p1" });
    expect(firstAndRest(story.at(9))).toEqual(["Which shop?", 0]);
    story.hook(12, "ElicitationResult", { mcp_server_name: "shop", action: "accept", prompt_id: "p1" });
    expect(story.at(12)).toMatchObject({ activityPhase: "busy", waiting: null, humanWaitMs: 10_000 });
  });

  it("for what an MCP server's answer does not concern", () => {
    const story = startedStory();
    story.hook(2, "PermissionRequest", { prompt_id: "p1" });
    expect(story.at(3)).toMatchObject({ activityPhase: "waiting_permission", waiting: { toolName: null } });
    story.hook(9, "ElicitationResult", { mcp_server_name: "shop", action: "accept", prompt_id: "p1" });
    expect(story.at(9)).toMatchObject({ activityPhase: "waiting_permission" });
  });

  it("no longer for an MCP server whose answer is reported first", () => {
    const story = startedStory();
    story.hook(3, "ElicitationResult", { mcp_server_name: "shop", action: "accept", prompt_id: "p1" });
    story.hook(2, "Elicitation", { mcp_server_name: "shop", message: "Which shop?", prompt_id: "p1" });
    expect(story.at(4)).toMatchObject({ activityPhase: "busy", waiting: null });
    story.hook(8, "Elicitation", { mcp_server_name: "shop", message: "Which shop?", prompt_id: "p1" });
    expect(story.at(9)).toMatchObject({ activityPhase: "waiting_question" });
  });

  it("never, when unattended", () => {
    const story = createStory();
    const env = { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
    story.hook(0, "SessionStart", { source: "startup" }, { env });
    story.prompt(1, "p1", "clean up");
    story.requestPermission(2, "rm -r dist");
    story.registryStatus(3, "waiting", "permission prompt", "sdk-cli");
    expect(story.at(4)).toMatchObject({ activityPhase: "busy", attended: false, needsPerson: false });
    expect(story.at(4)).toMatchObject({ waiting: null, alsoWaiting: 0, humanWaitMs: 0 });
    story.hook(5, "StopFailure", { prompt_id: "p1", error: "server_error" });
    expect(story.at(6)).toMatchObject({ activityPhase: "failed", needsPerson: false });
  });
});

describe("a wait is over", () => {
  it("when its own call has run, not another one", () => {
    const story = startedStory();
    story.startCall(2, "t1", "rm -r dist");
    story.requestPermission(2.1, "rm -r dist");
    story.startCall(3, "t2", "ls");
    story.endCall(4, "t2", "ls");
    expect(story.at(5)).toMatchObject({ activityPhase: "waiting_permission" });
    story.endCall(20, "t1", "rm -r dist", { duration_ms: 3_000 });
    // It started to run three seconds earlier.
    expect(story.at(21)).toMatchObject({ activityPhase: "busy", humanWaitMs: 14_900 });
  });

  it("when its call was refused, which only the batch reports", () => {
    const story = startedStory();
    story.startCall(2, "t1", "rm -r dist");
    story.requestPermission(2.1, "rm -r dist");
    const call = { tool_name: "Bash", tool_input: { command: "rm -r dist" }, tool_use_id: "t1" };
    story.hook(9, "PostToolBatch", { prompt_id: "p1", tool_calls: [{ ...call, tool_response: "denied" }] });
    expect(story.at(9)).toMatchObject({ activityPhase: "busy", waiting: null });
  });

  it.each<[string, (story: Story) => void]>([
    ["its turn ends", (story) => story.stop(9, "p1")],
    ["its turn fails", (story) => story.hook(9, "StopFailure", { prompt_id: "p1", error: "server_error" })],
    ["another turn starts", (story) => story.prompt(9, "p2", "do something else")],
    ["the transcript shows an Esc", (story) => interrupt(story, 9)],
    ["the registry reports busy", (story) => story.registryStatus(9, "busy")],
    ["the registry reports idle", (story) => story.registryStatus(9, "idle")],
    ["its process ends", (story) => story.hook(9, "SessionEnd", { reason: "other" })],
    ["its process is gone", (story) => story.processGone(9)],
    [
      "the session was resumed elsewhere",
      (story) => story.hook(9, "SessionStart", { source: "resume" }, { pid: 200, ...ATTENDED }),
    ],
  ])("when %s", (_when, addEnd) => {
    const story = startedStory();
    story.startCall(2, "t1", "rm -r dist");
    story.requestPermission(2.1, "rm -r dist");
    expect(story.at(3).needsPerson).toBe(true);
    addEnd(story);
    expect(story.at(10)).toMatchObject({ waiting: null, alsoWaiting: 0 });
    expect(story.at(10).humanWaitMs).toBe(6_900);
  });

  it("not because of a subagent's calls", () => {
    const story = startedStory();
    story.hook(2, "SubagentStart", scout);
    story.requestPermission(3, "rm -r dist");
    story.startCall(4, "t2", "rm -r dist", scout);
    story.endCall(5, "t2", "rm -r dist", scout);
    story.hook(6, "SubagentStop", scout);
    expect(story.at(7)).toMatchObject({ activityPhase: "waiting_permission", needsPerson: true });
  });

  it("for a subagent when its own call has run or it stops, not with the main agent's turn", () => {
    for (const end of ["PostToolUse", "SubagentStop"]) {
      const story = startedStory();
      story.hook(2, "SubagentStart", scout);
      story.startCall(3, "t1", "npm test", scout);
      story.requestPermission(3.1, "npm test", scout);
      story.stop(4, "p1", { background_tasks: [{ id: "a1", type: "subagent", status: "running" }] });
      story.prompt(5, "p2", "meanwhile");
      expect(story.at(6)).toMatchObject({
        activityPhase: "waiting_permission",
        why: "Subagent wants to run Bash: npm test",
        waiting: { agentId: "a1", text: "npm test" },
      });
      if (end === "SubagentStop") story.hook(9, "SubagentStop", scout);
      else story.endCall(9, "t1", "npm test", scout);
      expect(story.at(10)).toMatchObject({ activityPhase: "busy", waiting: null });
    }
  });

  it("not while the registry reports waiting again", () => {
    const story = startedStory();
    story.requestPermission(2, "rm -r dist");
    story.registryStatus(3, "busy");
    expect(story.at(4)).toMatchObject({ activityPhase: "busy" });
    story.registryStatus(5, "waiting", "permission prompt");
    expect(story.at(6)).toMatchObject({ activityPhase: "waiting_permission", sinceIso: iso(2) });
    expect(story.at(6).evidence).toEqual([
      { source: "hook", what: "request", atIso: iso(2) },
      { source: "registry", what: "permission prompt", atIso: iso(5) },
    ]);
  });
});

describe("several requests at once", () => {
  it.each([
    [1, 2, 3],
    [3, 1, 2],
    [2, 3, 1],
  ])("are answered in any order: %i, %i, %i", (...order) => {
    const story = startedStory();
    for (const n of [1, 2, 3]) {
      story.startCall(n, `t${n}`, `read ${n}`);
      story.requestPermission(n + 0.1, `read ${n}`);
    }
    expect(firstAndRest(story.at(4))).toEqual(["read 1", 2]);
    const pending = new Set([1, 2, 3]);
    for (const [index, n] of order.entries()) {
      story.endCall(10 + index, `t${n}`, `read ${n}`);
      pending.delete(n);
      const first = pending.size === 0 ? undefined : `read ${Math.min(...pending)}`;
      expect(firstAndRest(story.at(10 + index))).toEqual([first, Math.max(0, pending.size - 1)]);
    }
    expect(story.at(20)).toMatchObject({ activityPhase: "busy", toolCount: 3 });
  });

  it("are distinguished when the same command is requested repeatedly", () => {
    const story = startedStory();
    for (const n of [1, 2, 3]) {
      story.startCall(10 * n, `t${n}`, "npm publish");
      story.requestPermission(10 * n + 0.1, "npm publish");
      expect(story.at(10 * n + 1)).toMatchObject({
        alsoWaiting: 0,
        waiting: { toolUseId: `t${n}`, sinceIso: iso(10 * n + 0.1) },
      });
      story.endCall(10 * n + 5, `t${n}`, "npm publish");
      expect(story.at(10 * n + 6)).toMatchObject({ activityPhase: "busy", waiting: null });
    }
    expect(story.at(40).humanWaitMs).toBe(3 * 4_900);
  });
});

describe("the total wait", () => {
  const otherScout = { agent_id: "a2", agent_type: "scout" };
  const withTwoRequests = (): Story => {
    const story = startedStory();
    story.startCall(10, "t1", "touch a", scout);
    story.requestPermission(10, "touch a", scout);
    story.startCall(20, "t2", "touch b", otherScout);
    story.requestPermission(20, "touch b", otherScout);
    return story;
  };

  it("counts simultaneous requests once", () => {
    const story = withTwoRequests();
    expect(story.at(30).humanWaitMs).toBe(0);
    story.endCall(60, "t1", "touch a", scout);
    // The remaining one has waited since 20.
    expect(story.at(61)).toMatchObject({ humanWaitMs: 10_000, waiting: { sinceIso: iso(20) } });
    expect(waitDurationMs(story.at(61), Date.parse(iso(61)))).toBe(51_000);
    story.endCall(70, "t2", "touch b", otherScout);
    expect(story.at(71)).toMatchObject({ humanWaitMs: 60_000, waiting: null });
  });

  it("is never longer than the session", () => {
    const story = withTwoRequests();
    story.processGone(50);
    const ended = story.at(51);
    expect(ended).toMatchObject({ endedAtIso: iso(50), humanWaitMs: 40_000 });
    expect(waitDurationMs(ended, Date.parse(iso(500)))).toBe(40_000);
  });
});

describe("a wait that only the registry reports", () => {
  it("shows the newest call, and lasts until the main agent continues", () => {
    const story = startedStory();
    story.startCall(2, "t1", "rm -r dist");
    story.registryStatus(3, "waiting", "permission prompt");
    expect(story.at(4)).toMatchObject({
      activityPhase: "waiting_permission",
      waiting: { text: "rm -r dist", toolUseId: "t1", sinceIso: iso(3) },
    });
    // A notification in between answers nothing.
    const notification = { notification_type: "permission_prompt", message: "Claude needs your permission" };
    story.hook(9, "Notification", notification);
    story.startCall(10, "t2", "ls", scout);
    expect(story.at(11)).toMatchObject({ activityPhase: "waiting_permission" });
    story.endCall(20, "t1", "rm -r dist");
    expect(story.at(21)).toMatchObject({ activityPhase: "busy", waiting: null });
  });

  it("does not exist if it was about a request that hooks reported and that was answered since", () => {
    const settleCard = (story: Story, seconds: number): void => {
      const cardId = story.at(seconds).waiting!.requestId;
      const at = { occurredAtIso: iso(seconds), sessionId: "s1", provider: "claude", origin: "watch" };
      const card = { cardId, by: "person" };
      const event = { v: 1, id: "c1", eventType: "control.card", phase: "settled", ...at, card };
      foldEvent(story.view, event as unknown as HooklineEvent);
    };
    // The registry may report it before the hook or after.
    for (const statusAt of [2.05, 3]) {
      const story = startedStory();
      story.startCall(2, "t1", "touch a");
      story.requestPermission(2.1, "touch a");
      story.registryStatus(statusAt, "waiting", "permission prompt");
      expect(story.at(4).requests).toHaveLength(1);
      settleCard(story, 5);
      expect(story.at(6)).toMatchObject({ activityPhase: "busy", requests: [], needsPerson: false });
      story.registryStatus(7, "waiting", "permission prompt");
      expect(story.at(8)).toMatchObject({ activityPhase: "waiting_permission", sinceIso: iso(7) });
    }
  });

  it("is a question if the registry says so, with the registry's text if no call is known", () => {
    const story = startedStory();
    story.registryStatus(3, "waiting", "input needed");
    expect(story.at(4)).toMatchObject({
      activityPhase: "waiting_question",
      waiting: { kind: "question", text: "input needed", toolName: null },
    });
  });
});

describe("waits that ended a while ago", () => {
  it("are finalized, and not recomputed", () => {
    const story = startedStory();
    for (let n = 1; n <= 200; n++) {
      story.startCall(20 * n, `t${n}`, `echo ${n}`);
      story.requestPermission(20 * n + 1, `echo ${n}`);
      story.endCall(20 * n + 5, `t${n}`, `echo ${n}`);
    }
    const before = story.at(5_000);
    finalizeWaits(story.view);
    const open = [...story.view.waits.values()].filter((wait) => wait.closedAt === null);
    expect(open.length).toBeLessThan(3);
    expect(story.at(5_000)).toEqual(before);
    expect(before.humanWaitMs).toBe(200 * 4_000);
  });
});

function interrupt(story: Story, seconds: number): void {
  const message = { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] };
  story.line(seconds, { type: "user", promptId: "p1", uuid: "u1", message });
}
