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
  const held = new Map<string, FakeSession>();
  const calls: (readonly [string, ...unknown[]])[] = [];
  const done = new Map<string, Promise<unknown>>();

  const one = (sessionId: string): FakeSession => {
    const found = held.get(sessionId);
    if (found === undefined) throw new AppError("session_unknown", `there is no session ${sessionId}`);
    return found;
  };
  /** A repeated command id gets its first answer again. */
  const once = <T>(commandId: string | undefined, act: () => T): Promise<T> => {
    const known = commandId === undefined ? undefined : done.get(commandId);
    if (known !== undefined) return known as Promise<T>;
    const answer = Promise.resolve().then(act);
    if (commandId !== undefined) done.set(commandId, answer);
    return answer;
  };
  const emit = (sessionId: string, body: EnvelopeBody): void => {
    const of = one(sessionId);
    const seq = isTransient(body) ? 0 : of.envelopes.length + 1;
    const envelope: Envelope = { v: 1, epoch: of.session.epoch, sessionId, seq, ts: NOW, ...body };
    if (seq > 0) of.envelopes.push(envelope);
    if (body.type === "state") of.session = { ...of.session, state: body.state };
    if (body.type === "permission.request")
      of.cards.set(body.toolUseId, cardOf(sessionId, body, { reason: body.reason }));
    if (body.type === "question.request") {
      const { toolUseId, questions } = body;
      const asked = { toolUseId, tool: "AskUserQuestion", input: { questions } };
      of.cards.set(toolUseId, cardOf(sessionId, asked, { kind: "question", questions }));
    }
    of.session = { ...of.session, seq: of.envelopes.length };
    for (const listener of of.listeners) listener(envelope);
  };
  const pendingOf = ({ cards }: FakeSession): Card[] =>
    [...cards.values()].filter(({ status }) => status === "pending");

  return {
    calls,
    emit,
    envelopes: (sessionId) => one(sessionId).envelopes,
    listeners: () => [...held.values()].reduce((sum, { listeners }) => sum + listeners.size, 0),

    start: (request) =>
      once(request.commandId, () => {
        calls.push(["start", request]);
        if (request.cwd === "/nowhere") throw new AppError("cwd_missing", "there is no folder /nowhere");
        if (request.model === "echo")
          throw new AppError("login_refused", `refused: ${JSON.stringify(request.credentials)}`);
        const sessionId = `driven-${held.size + 1}`;
        const session = sessionOf(sessionId, request);
        held.set(sessionId, { session, envelopes: [], listeners: new Set(), cards: new Map() });
        emit(sessionId, { type: "state", state: "idle", why: null });
        return one(sessionId).session;
      }),
    send: (sessionId, request) =>
      once(request.commandId, () => {
        calls.push(["send", sessionId, request]);
        const messageId = `m${one(sessionId).envelopes.length}`;
        emit(sessionId, { type: "user", text: request.text, messageId, images: request.images.length });
        return { messageId, state: "queued" };
      }),
    stop: (sessionId, commandId) =>
      once(commandId, () => {
        calls.push(["stop", sessionId, commandId]);
        return one(sessionId).session;
      }),
    close: (sessionId, commandId) =>
      once(commandId, () => {
        calls.push(["close", sessionId, commandId]);
        emit(sessionId, { type: "state", state: "closed", why: null });
        return one(sessionId).session;
      }),
    setMode: (sessionId, mode, who, commandId) =>
      once(commandId, () => {
        calls.push(["setMode", sessionId, mode, who, commandId]);
        one(sessionId).session = { ...one(sessionId).session, mode };
        return one(sessionId).session;
      }),
    setModel: (sessionId, model, commandId) =>
      once(commandId, () => {
        calls.push(["setModel", sessionId, model, commandId]);
        one(sessionId).session = { ...one(sessionId).session, model };
        return one(sessionId).session;
      }),
    rewind: (sessionId, request) =>
      once(request.commandId, () => {
        calls.push(["rewind", one(sessionId).session.sessionId, request]);
        return { ok: true, files: ["a.ts"], message: null };
      }),
    answer: (sessionId, toolUseId, answer) =>
      once(answer.commandId, () => {
        const card = one(sessionId).cards.get(toolUseId);
        if (card === undefined) throw new AppError("card_unknown", `there is no request ${toolUseId}`);
        const settled = settle(card, answer);
        one(sessionId).cards.set(toolUseId, settled);
        return settled;
      }),
    askAgain: (sessionId, toolUseId, request) =>
      once(request.commandId, () => {
        calls.push(["askAgain", sessionId, toolUseId, request]);
        return one(sessionId).session;
      }),
    list: () => [...held.values()].map(({ session }) => session),
    recovered: Promise.resolve(),
    live: (sessionId) => held.get(sessionId)?.session,
    get: async (sessionId) => held.get(sessionId)?.session,
    cards: () => [...held.values()].flatMap(pendingOf),
    card: async (id, sessionId) =>
      (sessionId === undefined ? [...held.values()] : [one(sessionId)])
        .map(({ cards }) => cards.get(id))
        .find((card) => card !== undefined),
    async attach(sessionId, after, onEnvelope) {
      const of = one(sessionId);
      for (const envelope of of.envelopes) if (envelope.seq > after) onEnvelope(envelope);
      of.listeners.add(onEnvelope);
      const snapshot = { ...of.session, pending: pendingOf(of) };
      return { snapshot, close: () => void of.listeners.delete(onEnvelope) };
    },
    isDriven: (id) => held.has(id),
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
  asked: { readonly toolUseId: string; readonly tool: string; readonly input?: unknown },
  changes: Partial<Card> = {},
): Card {
  return {
    id: asked.toolUseId,
    sessionId,
    source: "driven",
    kind: "permission",
    toolName: asked.tool,
    toolUseId: asked.toolUseId,
    input: asked.input ?? {},
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
    inputBytes: JSON.stringify(asked.input ?? {}).length,
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
