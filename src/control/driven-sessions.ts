import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnswerFormat } from "../agents/answer-format.ts";
import { AppError } from "../app-error.ts";
import { askAgainText } from "./ask-again.ts";
import { createRequestIds } from "./claim-request-id.ts";
import { createCommandMemory } from "./command-memory.ts";
import type { Card, CardAnswer, DrivenSession, SendRequest, StartRequest } from "./control-contract.ts";
import type { ClaudeProcesses, DrivenSessions, EnvelopeStore, SdkLog } from "./control-ports.ts";
import { foldCards } from "./driven-cards.ts";
import { isOver, stateOf } from "./driven-state.ts";
import type { Judge } from "./gate.ts";
import type { Journal } from "./journal.ts";
import { createJournals } from "./journals.ts";
import { createLiveSessions, type LiveSession, type PreparedSession, type Room } from "./live-sessions.ts";
import type { MaskEnvelope } from "./mask-envelopes.ts";
import { foldLife, toBeginning, toPastSession } from "./past-life.ts";
import { type PrepareOptions, prepareSession } from "./prepare-session.ts";
import { type OpenQuery, openQuery } from "./sdk-door.ts";
import { toSettlement } from "./settle-answer.ts";

export interface DrivenSessionsOptions extends Omit<PrepareOptions, "billing"> {
  readonly store: EnvelopeStore;
  readonly processes: ClaudeProcesses;
  readonly judge: Judge;
  readonly log: SdkLog | null;
  readonly config: {
    readonly maxSessions: number;
    readonly idleMinutes: number | null;
    readonly maxBudgetUsd: number | null;
    readonly billing: "api" | "subscription";
  };
  readonly now: () => number;
  readonly onNotice: (text: string) => void;
  /** Told when what `cards` answers has changed. */
  readonly onCards?: ((sessionId: string) => void) | undefined;
  /** Makes, for one session, what of its envelopes may be kept and shown. */
  readonly createMask?: (() => MaskEnvelope) | undefined;
  readonly openQuery?: OpenQuery;
  readonly gateTimeoutMs?: number;
  /** In whose words the gate answers. */
  readonly answers: AnswerFormat;
  readonly room?: Room;
}

/** A person who looks at an idle session keeps it; one whom a client may just be about to speak to is left a while. */
const ROOM: Room = { idleMs: 60_000, attached: false };
/** So long a request that was lost is shown, unless its session went on. */
const LOST_MS = 7 * 86_400_000;
/** So long is waited for all to be closed; what is left then is ended as a process. */
const CLOSE_ALL_MS = 6_000;

/** All sessions that are driven from here. What an earlier life of the driver left open is told as lost at once. */
export function openDrivenSessions(options: DrivenSessionsOptions): DrivenSessions {
  const { store, config, processes, judge, log, gateTimeoutMs, onNotice } = options;
  const epoch = randomUUID();
  const nowIso = (): string => new Date(options.now()).toISOString();
  const commands = createCommandMemory();
  const { maxSessions, idleMinutes } = config;
  const { room = ROOM } = options;
  let isClosing = false;
  const requestIds = createRequestIds((id) => [...lost.values()].some((card) => card.id === id));
  const sdk = { openQuery: options.openQuery ?? openQuery, processes, log };
  const parts = { ...sdk, judge, nowIso, requestIds, gateTimeoutMs, answers: options.answers };
  const live = createLiveSessions({ parts, epoch, maxSessions, idleMinutes, room, onCards: options.onCards });
  const isInUse = (sessionId: string): boolean => {
    const session = live.get(sessionId);
    return session !== undefined && session.driver.state().life !== "closed";
  };
  const journals = createJournals({
    store,
    epoch,
    nowIso,
    onNotice,
    createMask: options.createMask,
    isInUse,
  });
  const lostSince = new Date(options.now() - LOST_MS).toISOString();
  const lost = new Map<string, Card>();
  const recovered = journals.recover(lostSince).then((cards) => {
    for (const card of cards) lost.set(keyOf(card.sessionId, card.id), card);
  });
  // Whoever waits for it hears of it.
  recovered.catch(() => undefined);

  /** At once where it is live, so that commands take effect in the order in which they came. */
  function find(sessionId: string): LiveSession | Promise<never> {
    return live.get(sessionId) ?? refuse(sessionId);
  }

  async function refuse(sessionId: string): Promise<never> {
    throw (await journals.find(sessionId, () => true)) ? isClosed(sessionId) : isUnknown(sessionId);
  }

  /** Of an earlier life, or so long ago that only the store knows it. */
  function past(sessionId: string): Promise<DrivenSession | undefined> {
    return journals.find(sessionId, async (journal) =>
      toPastSession(sessionId, journal.place(), foldLife(await journal.read(0))),
    );
  }

  async function findOpen(sessionId: string): Promise<LiveSession> {
    const session = await find(sessionId);
    if (isOver(session.driver.state())) throw isClosed(sessionId);
    return session;
  }

  async function register(prepared: PreparedSession, request: StartRequest): Promise<LiveSession> {
    const { sessionId, cwd, projectPath, resume } = prepared.setup;
    const { mode, model = null, maxBudgetUsd = config.maxBudgetUsd, who = "start" } = request;
    try {
      return await journals.open(sessionId, { projectPath, cwd }, async (journal) => {
        const past = resume === null ? {} : toBeginning(foldLife(await journal.read(0)), resume.fork);
        if (isClosing) throw isEnding();
        return live.add(prepared, journal, { ...past, mode, model, maxBudgetUsd }, who);
      });
    } catch (error) {
      prepared.release();
      throw error;
    }
  }

  async function start(request: StartRequest): Promise<DrivenSession> {
    await recovered;
    if (isClosing) throw isEnding();
    const prepared = await prepareSession(request, { ...options, billing: config.billing });
    const session = await register(prepared, request);
    for (const message of prepared.setup.parts.problems)
      session.driver.take({ type: "error", code: "project_problem", message });
    try {
      if (request.prompt !== undefined)
        sendTo(session, { text: request.prompt, images: [], interrupt: false });
    } catch (error) {
      await close(session, "nothing could be sent to it");
      throw error;
    }
    live.beginNext();
    return session.toSession();
  }

  function sendTo({ driver }: LiveSession, { text, images, interrupt }: SendRequest) {
    const { budgetSpent, maxBudgetUsd } = driver.state();
    if (budgetSpent) throw new AppError("budget_spent", `The session's budget of $${maxBudgetUsd} is spent.`);
    const messageId = randomUUID();
    driver.take({ type: "send", message: { messageId, text, images }, interrupt });
    return { messageId, state: stateOf(driver.state()) };
  }

  /** A pending request comes raw and whole from its session; the journal has masked copies of what is over. */
  async function card(requestId: string, ofSession?: string): Promise<Card | undefined> {
    await recovered;
    const sessions = live.all().filter(({ sessionId }) => ofSession === undefined || sessionId === ofSession);
    const pending = sessions
      .map((session) => session.pendingCard(requestId))
      .find((one) => one !== undefined);
    if (pending !== undefined) return pending;
    for (const one of lost.values())
      if (one.id === requestId && (ofSession ?? one.sessionId) === one.sessionId) return one;
    for (const { sessionId, journal } of sessions) {
      const over = (await cardsOf(sessionId, journal)).get(requestId);
      if (over !== undefined) return over;
    }
    return undefined;
  }

  async function answer(sessionId: string, requestId: string, given: CardAnswer): Promise<Card> {
    const { driver, journal } = await find(sessionId);
    const request = driver.state().pending.get(requestId);
    const over = async () => (await cardsOf(sessionId, journal)).get(requestId);
    if (request === undefined) throw isNotPending(await over());
    const settlement = toSettlement(request, given);
    const { scope } = settlement;
    const rule = scope === null ? null : driver.rules.add(request.tool, request.input, scope);
    driver.take({ type: "answer", requestId, answer: { ...settlement, rule } });
    return (await over())!;
  }

  async function close(session: LiveSession, why: string): Promise<DrivenSession> {
    session.driver.take({ type: "close", why });
    await session.closed;
    await session.journal.flush();
    return session.toSession();
  }

  async function askAgain(sessionId: string, requestId: string, request: Partial<StartRequest>) {
    await recovered;
    const found = await journals.find(sessionId, async (journal) => ({
      place: journal.place(),
      cards: await cardsOf(sessionId, journal),
    }));
    if (found === undefined) throw isUnknown(sessionId);
    const again = askAgainText(found.cards.get(requestId), requestId);
    const prompt = request.prompt === undefined ? again : `${request.prompt}\n\n${again}`;
    const session = live.get(sessionId);
    const isOpen = session !== undefined && !isOver(session.driver.state());
    if (isOpen) sendTo(session, { text: prompt, images: [], interrupt: false });
    const { mode = "default", addDirs = [], cwd = found.place.cwd } = request;
    const resumed = { ...request, mode, addDirs, cwd, resume: sessionId, fork: false, prompt };
    const told = isOpen ? session.toSession() : await start(resumed);
    if (lost.delete(keyOf(sessionId, requestId))) options.onCards?.(sessionId);
    return told;
  }

  /** A command to a session that runs, done at once. */
  const direct = (
    kind: string,
    sessionId: string,
    commandId: string | undefined,
    act: (session: LiveSession) => void,
  ) =>
    commands.once(`${kind} ${sessionId}`, commandId, async () => {
      const session = await findOpen(sessionId);
      act(session);
      return session.toSession();
    });

  return {
    recovered,
    start: (request) => commands.once("start", request.commandId, () => start(request)),
    send: (sessionId, request) =>
      commands.once(`send ${sessionId}`, request.commandId, async () =>
        sendTo(await findOpen(sessionId), request),
      ),
    stop: (sessionId, commandId) =>
      direct("stop", sessionId, commandId, ({ driver }) => driver.take({ type: "stop" })),
    close: (sessionId, commandId) =>
      commands.once(`close ${sessionId}`, commandId, async () =>
        close(await find(sessionId), "closed by a person"),
      ),
    setMode: (sessionId, mode, who, commandId) =>
      direct("mode", sessionId, commandId, ({ driver }) => driver.take({ type: "mode", mode, by: who })),
    setModel: (sessionId, model, commandId) =>
      direct("model", sessionId, commandId, ({ driver }) => driver.take({ type: "model", model })),
    rewind: (sessionId, { commandId, messageId, dryRun }) =>
      commands.once(`rewind ${sessionId}`, commandId, async () =>
        (await findOpen(sessionId)).driver.rewind(messageId, dryRun),
      ),
    answer: (sessionId, requestId, given) =>
      commands.once(`answer ${keyOf(sessionId, requestId)}`, given.commandId, async () =>
        answer(sessionId, requestId, given),
      ),
    askAgain: (sessionId, requestId, request) =>
      commands.once(`again ${keyOf(sessionId, requestId)}`, request.commandId, () =>
        askAgain(sessionId, requestId, request),
      ),
    list: () => live.all().map((session) => session.toSession()),
    get: async (sessionId) => live.get(sessionId)?.toSession() ?? past(sessionId),
    live: (sessionId) => live.get(sessionId)?.toSession(),
    cards: () => [...lost.values(), ...live.all().flatMap((session) => session.toSession().pending)],
    card,
    async attach(sessionId, after, onEnvelope) {
      await recovered;
      let snapshot: DrivenSession | undefined;
      const detach = await journals.find(sessionId, (journal) =>
        journal.attach(after, onEnvelope, () => {
          snapshot = live.get(sessionId)?.toSession();
        }),
      );
      if (detach === undefined) throw isUnknown(sessionId);
      return { snapshot: snapshot ?? (await past(sessionId))!, close: detach };
    },
    isDriven: (claudeSessionId) =>
      live.all().some(({ sessionId, driver }) => {
        const { life, init } = driver.state();
        return (
          life !== "closed" && (sessionId === claudeSessionId || init?.claudeSessionId === claudeSessionId)
        );
      }),
    async closeAll() {
      isClosing = true;
      const closed = Promise.all(live.all().map((session) => close(session, "Hookline was stopped")));
      await Promise.race([
        closed.then(() => journals.flush()),
        sleep(CLOSE_ALL_MS, undefined, { ref: false }),
      ]);
    },
  };
}

/** Logs of earlier versions may have one id in several sessions. */
function keyOf(sessionId: string, requestId: string): string {
  return `${sessionId} ${requestId}`;
}

async function cardsOf(sessionId: string, journal: Journal): Promise<Map<string, Card>> {
  return foldCards(sessionId, journal.place(), await journal.read(0));
}

function isEnding(): AppError {
  return new AppError("daemon_stopping", "Hookline is about to end: nothing is started any more.");
}

function isUnknown(sessionId: string): AppError {
  return new AppError("session_unknown", `No session ${sessionId} is driven from here.`);
}

function isClosed(sessionId: string): AppError {
  return new AppError("session_closed", `Session ${sessionId} is closed; it can be resumed.`);
}

function isNotPending(card: Card | undefined): AppError {
  const { settled } = card ?? {};
  if (settled == null) return new AppError("not_pending", "There is no such request waiting.");
  const who = settled.who === null ? "" : ` by ${settled.who}`;
  return new AppError("not_pending", `It was settled before: ${settled.outcome}${who} at ${settled.atIso}.`);
}
