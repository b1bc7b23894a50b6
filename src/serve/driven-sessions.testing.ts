import { AppError } from "../app-error.ts";
import type { Card, CardAnswer, DrivenSession, StartRequest } from "../control/control-contract.ts";
import type { DrivenSessions } from "../control/control-ports.ts";
import { type Envelope, type EnvelopeBody, isTransient } from "../control/envelope.ts";

/** Driven sessions without a Claude: the test decides what happens in them. */
export interface InMemoryDriven extends DrivenSessions {
  /** Every call, with its arguments. */
  readonly calls: (readonly [string, ...unknown[]])[];
  emit(sessionId: string, body: EnvelopeBody): void;
  envelopes(sessionId: string): readonly Envelope[];
  listeners(): number;
}

interface FakeSession {
  session: DrivenSession;
  readonly envelopes: Envelope[];
  readonly listeners: Set<(envelope: Envelope) => void>;
  readonly cards: Map<string, Card>;
}

const NOW = "2026-11-15T12:00:00.000Z";

export function createInMemoryDriven(): InMemoryDriven {
  const sessions = new Map<string, FakeSession>();
  const calls: (readonly [string, ...unknown[]])[] = [];
  const results = new Map<string, Promise<unknown>>();

  const sessionById = (sessionId: string): FakeSession => {
    const found = sessions.get(sessionId);
    if (found === undefined) throw new AppError("session_unknown", `there is no session ${sessionId}`);
    return found;
  };
  /** A repeated command id gets its first answer again. */
  const runOnce = <T>(commandId: string | undefined, action: () => T): Promise<T> => {
    const known = commandId === undefined ? undefined : results.get(commandId);
    if (known !== undefined) return known as Promise<T>;
    const answer = Promise.resolve().then(action);
    if (commandId !== undefined) results.set(commandId, answer);
    return answer;
  };
  const emit = (sessionId: string, body: EnvelopeBody): void => {
    const fake = sessionById(sessionId);
    const seq = isTransient(body) ? 0 : fake.envelopes.length + 1;
    const envelope: Envelope = { v: 1, epoch: fake.session.epoch, sessionId, seq, ts: NOW, ...body };
    if (seq > 0) fake.envelopes.push(envelope);
    if (body.type === "state") fake.session = { ...fake.session, state: body.state };
    if (body.type === "permission.request")
      fake.cards.set(body.toolUseId, cardOf(sessionId, body, { reason: body.reason }));
    if (body.type === "question.request") {
      const { toolUseId, questions } = body;
      const question = { toolUseId, tool: "AskUserQuestion", input: { questions } };
      fake.cards.set(toolUseId, cardOf(sessionId, question, { kind: "question", questions }));
    }
    fake.session = { ...fake.session, seq: fake.envelopes.length };
    for (const listener of fake.listeners) listener(envelope);
  };
  const pendingOf = ({ cards }: FakeSession): Card[] =>
    [...cards.values()].filter(({ status }) => status === "pending");

  return {
    calls,
    emit,
    envelopes: (sessionId) => sessionById(sessionId).envelopes,
    listeners: () => [...sessions.values()].reduce((sum, { listeners }) => sum + listeners.size, 0),

    start: (request) =>
      runOnce(request.commandId, () => {
        calls.push(["start", request]);
        if (request.cwd === "/nowhere") throw new AppError("cwd_missing", "there is no folder /nowhere");
        if (request.model === "echo")
          throw new AppError("login_refused", `refused: ${JSON.stringify(request.credentials)}`);
        const sessionId = `driven-${sessions.size + 1}`;
        const session = sessionOf(sessionId, request);
        sessions.set(sessionId, { session, envelopes: [], listeners: new Set(), cards: new Map() });
        emit(sessionId, { type: "state", state: "idle", why: null });
        return sessionById(sessionId).session;
      }),
    send: (sessionId, request) =>
      runOnce(request.commandId, () => {
        calls.push(["send", sessionId, request]);
        const messageId = `m${sessionById(sessionId).envelopes.length}`;
        emit(sessionId, { type: "user", text: request.text, messageId, images: request.images.length });
        return { messageId, state: "queued" };
      }),
    stop: (sessionId, commandId) =>
      runOnce(commandId, () => {
        calls.push(["stop", sessionId, commandId]);
        return sessionById(sessionId).session;
      }),
    close: (sessionId, commandId) =>
      runOnce(commandId, () => {
        calls.push(["close", sessionId, commandId]);
        emit(sessionId, { type: "state", state: "closed", why: null });
        return sessionById(sessionId).session;
      }),
    setMode: (sessionId, mode, who, commandId) =>
      runOnce(commandId, () => {
        calls.push(["setMode", sessionId, mode, who, commandId]);
        sessionById(sessionId).session = { ...sessionById(sessionId).session, mode };
        return sessionById(sessionId).session;
      }),
    setModel: (sessionId, model, commandId) =>
      runOnce(commandId, () => {
        calls.push(["setModel", sessionId, model, commandId]);
        sessionById(sessionId).session = { ...sessionById(sessionId).session, model };
        return sessionById(sessionId).session;
      }),
    rewind: (sessionId, request) =>
      runOnce(request.commandId, () => {
        calls.push(["rewind", sessionById(sessionId).session.sessionId, request]);
        return { ok: true, files: ["a.ts"], message: null };
      }),
    answer: (sessionId, toolUseId, answer) =>
      runOnce(answer.commandId, () => {
        const card = sessionById(sessionId).cards.get(toolUseId);
        if (card === undefined) throw new AppError("card_unknown", `there is no request ${toolUseId}`);
        const settled = settle(card, answer);
        sessionById(sessionId).cards.set(toolUseId, settled);
        return settled;
      }),
    askAgain: (sessionId, toolUseId, request) =>
      runOnce(request.commandId, () => {
        calls.push(["askAgain", sessionId, toolUseId, request]);
        return sessionById(sessionId).session;
      }),
    list: () => [...sessions.values()].map(({ session }) => session),
    recovered: Promise.resolve(),
    live: (sessionId) => sessions.get(sessionId)?.session,
    get: async (sessionId) => sessions.get(sessionId)?.session,
    cards: () => [...sessions.values()].flatMap(pendingOf),
    card: async (id, sessionId) =>
      (sessionId === undefined ? [...sessions.values()] : [sessionById(sessionId)])
        .map(({ cards }) => cards.get(id))
        .find((card) => card !== undefined),
    async attach(sessionId, after, onEnvelope) {
      const fake = sessionById(sessionId);
      for (const envelope of fake.envelopes) if (envelope.seq > after) onEnvelope(envelope);
      fake.listeners.add(onEnvelope);
      const snapshot = { ...fake.session, pending: pendingOf(fake) };
      return { snapshot, close: () => void fake.listeners.delete(onEnvelope) };
    },
    isDriven: (id) => sessions.has(id),
    closeAll: async () => undefined,
  };
}

/** One request and its one answer. */
export function settle(card: Card, { decision, who, answers }: CardAnswer): Card {
  if (card.status !== "pending") throw new AppError("not_pending", `${card.id} was answered already`);
  if (answers !== undefined && card.kind !== "question")
    throw new AppError("answer_invalid", `${card.id} asks no question`);
  const outcome = decision ?? "answered";
  return {
    ...card,
    status: "settled",
    settled: { outcome, by: "user", who: who ?? null, rule: null, atIso: NOW },
  };
}

export function cardOf(
  sessionId: string,
  request: { readonly toolUseId: string; readonly tool: string; readonly input?: unknown },
  changes: Partial<Card> = {},
): Card {
  return {
    id: request.toolUseId,
    sessionId,
    source: "driven",
    kind: "permission",
    toolName: request.tool,
    toolUseId: request.toolUseId,
    input: request.input ?? {},
    questions: [],
    plan: null,
    reason: null,
    rule: null,
    agentId: null,
    agentType: null,
    projectPath: null,
    cwd: null,
    sinceIso: NOW,
    untilIso: null,
    status: "pending",
    whyTerminal: null,
    inputBytes: JSON.stringify(request.input ?? {}).length,
    settled: null,
    ...changes,
  };
}

function sessionOf(sessionId: string, request: StartRequest): DrivenSession {
  return {
    sessionId,
    claudeSessionId: request.resume ?? `claude-of-${sessionId}`,
    cwd: request.cwd,
    projectPath: request.cwd,
    state: "idle",
    mode: request.mode,
    model: request.model ?? null,
    epoch: "e1",
    seq: 0,
    startedAtIso: NOW,
    partialText: "",
    tools: [],
    pending: [],
    queuedMessages: 0,
    backgroundTasks: 0,
    why: null,
    usage: { inputTokens: 0, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    totalCostUsd: 0,
    maxBudgetUsd: request.maxBudgetUsd ?? null,
    billing: null,
    pid: null,
  };
}
