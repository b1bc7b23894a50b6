import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { questionsOf } from "../../agents/questions.ts";
import type { DrivenSession } from "../../control/control-contract.ts";
import type { Envelope, EnvelopeBody } from "../../control/envelope.ts";
import { nestEntries } from "./chat-entries.ts";
import { type AttachMessage, applyMessage, type Conversation, EMPTY_CONVERSATION } from "./conversation.ts";

const ENVELOPE_BASE = { v: 1, epoch: "e", sessionId: "s", ts: "2026-01-01T00:00:00.000Z" } as const;
const storedText = (seq: number): Envelope => ({
  ...ENVELOPE_BASE,
  seq,
  type: "text",
  text: `answer ${seq}`,
  messageId: null,
  parent: null,
  aborted: false,
  error: null,
});
const delta = (text: string): Envelope => ({ ...ENVELOPE_BASE, seq: 0, type: "text.delta", text });
const toMessage = (envelope: Envelope): AttachMessage => ({ type: "envelope", envelope });

function snapshot(seq: number, partialText = ""): AttachMessage {
  const session: DrivenSession = {
    sessionId: "s",
    claudeSessionId: "s",
    cwd: "/w",
    projectPath: "/w",
    state: "idle",
    why: null,
    mode: "default",
    model: null,
    epoch: "e",
    seq,
    startedAtIso: ENVELOPE_BASE.ts,
    partialText,
    tools: [],
    pending: [],
    queuedMessages: 0,
    backgroundTasks: 0,
    usage: { inputTokens: 0, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    totalCostUsd: 0,
    maxBudgetUsd: null,
    billing: null,
    pid: null,
  };
  return { type: "snapshot", session };
}

const fold = (messages: readonly AttachMessage[], from: Conversation = EMPTY_CONVERSATION): Conversation =>
  messages.reduce(applyMessage, from);
const seqsOf = ({ entries }: Conversation) => entries.map(({ seq }) => seq);

/** What a client receives when it attaches after `after` with `upTo` stored envelopes. */
function connection(after: number, upTo: number): AttachMessage[] {
  const stored = Array.from({ length: Math.max(0, upTo - after) }, (_, index) =>
    storedText(after + 1 + index),
  );
  return [snapshot(upTo), ...stored.map(toMessage)];
}

it("applies every stored envelope once and in order across any number of reconnects", () => {
  const breaks = fc.array(fc.record({ appended: fc.nat(8), received: fc.nat(20), overlap: fc.nat(5) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(breaks, (rounds) => {
      let conversation = EMPTY_CONVERSATION;
      let upTo = 0;
      for (const { appended, received, overlap } of rounds) {
        upTo += appended;
        const after = Math.max(0, conversation.lastSeq - overlap);
        // The connection broke after this many messages.
        conversation = fold(connection(after, upTo).slice(0, received), conversation);
        expect(seqsOf(conversation)).toEqual(
          Array.from({ length: conversation.lastSeq }, (_, index) => index + 1),
        );
      }
      conversation = fold(connection(conversation.lastSeq, upTo), conversation);
      expect(seqsOf(conversation)).toEqual(Array.from({ length: upTo }, (_, index) => index + 1));
    }),
  );
});

it("replaces partial text with the complete answer", () => {
  const writing = fold([snapshot(0), toMessage(delta("ans")), toMessage(delta("wer"))]);
  expect(writing.partial).toBe("answer");
  const finished = applyMessage(writing, toMessage(storedText(1)));
  expect(finished.partial).toBe("");
  expect(seqsOf(finished)).toEqual([1]);
});

it("takes partial text from the snapshot, because replayed envelopes are older", () => {
  const conversation = fold([
    snapshot(2, "half an an"),
    toMessage(storedText(1)),
    toMessage(storedText(2)),
    toMessage(delta("swer")),
  ]);
  expect(conversation.partial).toBe("half an answer");
  expect(fold([snapshot(2, "half an answer, mo")], conversation).partial).toBe("half an answer, mo");
});

it("shows only background tasks, and all tasks of logs that do not tell them apart", () => {
  const task = (seq: number, what: "started" | "ended", background?: boolean): AttachMessage =>
    toMessage({
      ...ENVELOPE_BASE,
      seq,
      type: "task",
      taskId: "b1",
      what,
      description: "Build it",
      status: null,
      ...(background !== undefined && { background }),
    });
  expect(fold([snapshot(0), task(1, "started", false), task(2, "ended", false)]).entries).toEqual([]);
  expect(seqsOf(fold([snapshot(0), task(1, "started", false), task(2, "started", true)]))).toEqual([2]);
  expect(seqsOf(fold([snapshot(0), task(1, "started"), task(2, "ended")]))).toEqual([1, 2]);
});

describe("an unfinished answer", () => {
  const closed = (seq: number): AttachMessage => {
    const message = snapshot(seq) as Extract<AttachMessage, { type: "snapshot" }>;
    return { ...message, session: { ...message.session, state: "closed" } };
  };
  const answersIn = ({ entries }: Conversation) =>
    entries.map((entry) => (entry.type === "answer" ? [entry.text, entry.aborted] : entry.type));

  it("stays visible as aborted when its driver is gone", () => {
    const writing = fold([snapshot(0), toMessage(storedText(1)), toMessage(delta("ans"))]);
    const after = fold(
      [closed(2), toMessage({ ...ENVELOPE_BASE, seq: 2, type: "state", state: "closed", why: "gone" })],
      writing,
    );
    expect(after.partial).toBe("");
    expect(answersIn(after)).toEqual([["answer 1", false], ["ans", true], "notice"]);
    expect(answersIn(fold([closed(2)], after))).toEqual(answersIn(after));
  });

  it("is replaced by the complete answer if that was stored", () => {
    const writing = fold([snapshot(0), toMessage(delta("ans"))]);
    const after = fold(
      [
        closed(2),
        toMessage(storedText(1)),
        toMessage({ ...ENVELOPE_BASE, seq: 2, type: "state", state: "closed", why: null }),
      ],
      writing,
    );
    expect(answersIn(after)).toEqual([["answer 1", false], "notice"]);
  });

  it("is aborted when its turn ends, but not by a retry", () => {
    const writing = fold([snapshot(0), toMessage(delta("ans"))]);
    const idle: Envelope = { ...ENVELOPE_BASE, seq: 1, type: "state", state: "idle", why: null };
    expect(answersIn(fold([toMessage(idle)], writing))).toEqual([["ans", true]]);
    const retry: Envelope = {
      ...ENVELOPE_BASE,
      seq: 1,
      type: "retry",
      attempt: 1,
      max: 2,
      delayMs: 1,
      status: 529,
      error: null,
    };
    expect(answersIn(fold([toMessage(retry)], writing))).toEqual(["notice"]);
  });
});

it("starts over when its position is unknown to the log", () => {
  const conversation = fold(connection(0, 5));
  const gap: AttachMessage = { type: "gap", gap: { reason: "unknown_place", after: 0 } };
  expect(applyMessage(conversation, gap)).toEqual(EMPTY_CONVERSATION);
  const slow: AttachMessage = { type: "gap", gap: { reason: "too_slow", after: 5 } };
  expect(applyMessage(conversation, slow)).toBe(conversation);
});

it("keeps a call in one entry with its verdict, request, resolution and result", () => {
  const message = (seq: number, body: EnvelopeBody): AttachMessage =>
    toMessage({ ...ENVELOPE_BASE, seq, ...body });
  const call = { toolUseId: "t1", tool: "Bash" };
  const input = { command: "make" };
  const conversation = fold([
    snapshot(0),
    message(1, { type: "tool.start", ...call, input, parent: null }),
    message(2, { type: "decision", ...call, verdict: "ask", rule: "default", reason: "it writes" }),
    message(3, {
      type: "permission.request",
      ...call,
      input,
      reason: "it writes",
      rule: "default",
      agentId: null,
      agentType: null,
    }),
    message(4, {
      type: "permission.resolved",
      toolUseId: "t1",
      outcome: "allow",
      by: "user",
      who: "browser",
      rule: null,
    }),
    message(5, { type: "tool.end", ...call, ok: true, output: "made", parent: null }),
  ]);
  expect(conversation.entries).toMatchObject([
    {
      key: "t1",
      call: {
        status: "ok",
        output: "made",
        asked: true,
        driven: {
          decision: { verdict: "ask" },
          request: { kind: "permission" },
          settled: { outcome: "allow", who: "browser" },
        },
      },
    },
  ]);
});

it("gives each request its own entry when the API reuses a call's id", () => {
  const message = (seq: number, body: EnvelopeBody): AttachMessage =>
    toMessage({ ...ENVELOPE_BASE, seq, ...body });
  const request = (requestId: string, command: string): EnvelopeBody => ({
    type: "permission.request",
    toolUseId: "call_0",
    requestId,
    tool: "Bash",
    input: { command },
    reason: "",
    rule: null,
    agentId: null,
    agentType: null,
  });
  const settledBy = { by: "user", who: null, rule: null } as const;
  const conversation = fold([
    snapshot(0),
    message(1, { type: "tool.start", toolUseId: "call_0", tool: "Bash", input: {}, parent: null }),
    message(2, request("ask_1", "one")),
    message(3, request("ask_2", "two")),
    message(4, {
      type: "permission.resolved",
      toolUseId: "call_0",
      requestId: "ask_1",
      outcome: "deny",
      ...settledBy,
    }),
  ]);
  expect(conversation.entries).toMatchObject([
    {
      key: "call_0",
      call: {
        input: { command: "one" },
        status: "denied",
        driven: { request: { requestId: "ask_1" }, settled: { outcome: "deny" } },
      },
    },
    {
      key: "ask_2",
      call: { input: { command: "two" }, driven: { request: { requestId: "ask_2" }, settled: null } },
    },
  ]);
});

it("marks a call as unfinished when its turn ends first", () => {
  const message = (seq: number, body: EnvelopeBody): AttachMessage =>
    toMessage({ ...ENVELOPE_BASE, seq, ...body });
  const start = { type: "tool.start", tool: "Bash", input: {} } as const;
  const conversation = fold([
    snapshot(0),
    message(1, { ...start, toolUseId: "main", parent: null }),
    message(2, { ...start, toolUseId: "sub", parent: "agent" }),
    message(3, { type: "state", state: "idle", why: null }),
  ]);
  expect(conversation.entries).toMatchObject([
    { key: "main", call: { status: "unfinished" } },
    { key: "sub", call: { status: "running" } },
  ]);
});

describe("a lost question", () => {
  const question = { question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres" }] };
  const request: EnvelopeBody = {
    type: "question.request",
    toolUseId: "t1",
    questions: [question],
    agentId: null,
  };
  const lost: EnvelopeBody = {
    type: "question.resolved",
    toolUseId: "t1",
    outcome: "lost",
    by: "lost",
    who: null,
    rule: null,
    answers: null,
  };
  const start: EnvelopeBody = {
    type: "tool.start",
    toolUseId: "t1",
    tool: "AskUserQuestion",
    input: { questions: [question] },
    parent: null,
  };

  const readCall = (bodies: readonly EnvelopeBody[]) => {
    const { entries } = fold(
      bodies.map((body, index) => toMessage({ ...ENVELOPE_BASE, seq: index + 1, ...body })),
    );
    const entry = entries.find(({ type }) => type === "call");
    return entry?.type === "call" ? entry.call : null;
  };

  it.each([
    ["its call was reported", [start, request, lost]],
    ["only the request was reported", [request, lost]],
  ])("keeps its text and options when %s", (_case, bodies: readonly EnvelopeBody[]) => {
    const questions = questionsOf(readCall(bodies)?.input);
    expect(questions.map((entry) => [entry.question, ...entry.options.map(({ label }) => label)])).toEqual([
      ["Which database?", "SQLite", "Postgres"],
    ]);
  });

  it("stores its answers in the call's input", () => {
    const answers = { "Which database?": "SQLite" };
    const answered: EnvelopeBody = { ...lost, outcome: "answered", by: "user", answers };
    expect(readCall([start, request, answered])?.input).toEqual({ questions: [question], answers });
  });
});

it("nests a subagent's entries under the call that started it, at any depth", () => {
  const message = (seq: number, body: EnvelopeBody): AttachMessage =>
    toMessage({ ...ENVELOPE_BASE, seq, ...body });
  const start = { type: "tool.start", input: {} } as const;
  const { entries } = fold([
    snapshot(0),
    message(1, { ...start, toolUseId: "a", tool: "Agent", parent: null }),
    message(2, { ...start, toolUseId: "b", tool: "Agent", parent: "a" }),
    message(3, { ...start, toolUseId: "c", tool: "Bash", parent: "b" }),
    message(4, { ...start, toolUseId: "d", tool: "Bash", parent: "unknown" }),
  ]);
  expect(nestEntries(entries)).toMatchObject([
    { key: "a", inner: [{ key: "b", inner: [{ key: "c", inner: [] }] }] },
    { key: "d", inner: [] },
  ]);
});
