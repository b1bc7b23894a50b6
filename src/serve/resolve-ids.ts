import { AppError } from "../app-error.ts";
import type { Card } from "../control/control-contract.ts";
import type { EventQuery, StoredRow } from "../store/facts.ts";
import type { ControlPorts, DrivenPorts } from "./control-ports.ts";
import type { MemoryPorts } from "./memory-ports.ts";
import type { PagePorts } from "./page-ports.ts";

/** The route ports that take an id. */
interface IdPorts {
  events(query: EventQuery): Promise<readonly StoredRow[]>;
  /** Sessions whose ids start with `prefix`; only the exact match if there is one. */
  sessionIds?(prefix: string): Promise<readonly string[]>;
  readonly memory?: MemoryPorts;
  readonly control?: ControlPorts;
  readonly pages?: PagePorts;
}

/** Shorter prefixes are more often typos than ids. */
export const MIN_ID_PREFIX = 4;
const MAX_NAMED = 5;

/**
 * The same ports, accepting an id prefix for a session. Done once for all routes: lists print eight letters of an id,
 * so every route must accept those. An unknown id is passed on unchanged.
 */
export function withResolvedIds<Ports extends IdPorts>(ports: Ports): Ports {
  const { memory, control, pages } = ports;
  const whole: ResolveId = async (id) => resolveId(id, (await ports.sessionIds?.(id)) ?? [], "session");
  return {
    ...ports,
    events: async (query) => ports.events(await withSession(query, "sessionId", whole)),
    ...(memory !== undefined && { memory: memoryPorts(memory, whole) }),
    ...(control !== undefined && { control: controlPorts(control, whole) }),
    ...(pages !== undefined && { pages: pagePorts(pages, whole) }),
  };
}

/** Finds a request of a driven session by id prefix or call id, if that is unambiguous. */
export async function resolveRequestId(
  { driven }: ControlPorts,
  session: string,
  id: string,
): Promise<string> {
  const sessionId = (await driven.get(session))?.sessionId ?? session;
  return resolveRequest(
    id,
    driven.cards().filter((card) => card.sessionId === sessionId),
  );
}

/** Finds a card by id prefix or call id, if that is unambiguous. */
export function resolveCardId(ports: ControlPorts, id: string): string {
  return resolveRequest(id, [...ports.driven.cards(), ...ports.terminal.cards()]);
}

/** Finds a settled request by id prefix, including those of earlier daemons and ended sessions. */
export async function findSettledRequest(
  ports: ControlPorts,
  id: string,
  session?: string,
): Promise<Card | undefined> {
  if (id.length < MIN_ID_PREFIX) return undefined;
  const sessionId =
    session === undefined ? undefined : ((await ports.driven.get(session))?.sessionId ?? session);
  const over = (await ports.findSettled(id)).filter(
    (card) => (sessionId ?? card.sessionId) === card.sessionId,
  );
  const whole = resolveId(
    id,
    over.map((card) => card.id),
    "card",
  );
  return over.findLast((card) => card.id === whole);
}

function resolveRequest(id: string, open: readonly Card[]): string {
  const ids = open.map((card) => card.id);
  if (ids.some((each) => each.startsWith(id))) return resolveId(id, ids, "card");
  const ofCall = open.filter(({ toolUseId }) => toolUseId === id).map((card) => card.id);
  if (ofCall.length > 1)
    throw new AppError("card_ambiguous", `${id} belongs to several requests: ${ofCall.join(", ")}`);
  return ofCall[0] ?? id;
}

/** Among the sessions that have cards. */
export function resolveCardSession(cards: readonly Card[], id: string): string {
  return resolveId(
    id,
    cards.map(({ sessionId }) => sessionId),
    "session",
  );
}

type ResolveId = (id: string) => Promise<string>;

/** The one id with this prefix; the input itself where there is none. */
export function resolveId(id: string, known: readonly string[], what: "session" | "card"): string {
  if (id.length < MIN_ID_PREFIX || known.includes(id)) return id;
  const meant = [...new Set(known.filter((each) => each.startsWith(id)))].sort();
  if (meant.length > 1) throw ambiguousIdError(id, meant, what);
  return meant[0] ?? id;
}

function ambiguousIdError(id: string, meant: readonly string[], what: "session" | "card"): AppError {
  const named = meant.length > MAX_NAMED ? [...meant.slice(0, MAX_NAMED), "…"] : meant;
  const noun = what === "session" ? "sessions" : "requests";
  return new AppError(`${what}_ambiguous`, `${id} matches several ${noun}: ${named.join(", ")}`);
}

async function withSession<Q extends object, K extends keyof Q>(
  query: Q,
  key: K,
  whole: ResolveId,
): Promise<Q> {
  const id = query[key];
  return typeof id === "string" ? { ...query, [key]: await whole(id) } : query;
}

function memoryPorts(memory: MemoryPorts, whole: ResolveId): MemoryPorts {
  return {
    ...memory,
    search: async (query) =>
      memory.search({ ...query, filters: await withSession(query.filters, "session", whole) }),
    injections: async (query) => memory.injections(await withSession(query, "session", whole)),
    forget: async (request) => memory.forget(await withSession(request, "session", whole)),
    switchContext: async (change) =>
      memory.switchContext("session" in change ? await withSession(change, "session", whole) : change),
  };
}

function controlPorts(control: ControlPorts, whole: ResolveId): ControlPorts {
  return {
    ...control,
    driven: drivenSessions(control.driven, whole),
    sendToTerminal: async (request) => control.sendToTerminal(await withSession(request, "sessionId", whole)),
  };
}

/** Driven sessions come first, by our id or Claude's. */
function drivenSessions(driven: DrivenPorts, orAny: ResolveId): DrivenPorts {
  const whole: ResolveId = async (id) => {
    const meant = driven
      .list()
      .filter(({ sessionId, claudeSessionId }) =>
        [sessionId, claudeSessionId ?? ""].some((own) => own.startsWith(id)),
      );
    const own = resolveId(
      id,
      meant.map(({ sessionId }) => sessionId),
      "session",
    );
    const byClaude = id.length < MIN_ID_PREFIX || meant.length !== 1 ? own : meant[0]!.sessionId;
    return byClaude === id ? orAny(id) : byClaude;
  };
  return {
    ...driven,
    start: async (request) => driven.start(await withSession(request, "resume", whole)),
    send: async (id, request) => driven.send(await whole(id), request),
    stop: async (id, commandId) => driven.stop(await whole(id), commandId),
    close: async (id, commandId) => driven.close(await whole(id), commandId),
    setMode: async (id, mode, who, commandId) => driven.setMode(await whole(id), mode, who, commandId),
    setModel: async (id, model, commandId) => driven.setModel(await whole(id), model, commandId),
    rewind: async (id, request) => driven.rewind(await whole(id), request),
    answer: async (id, requestId, answer) => driven.answer(await whole(id), requestId, answer),
    askAgain: async (id, requestId, request) => driven.askAgain(await whole(id), requestId, request),
    card: async (requestId, id) => driven.card(requestId, id === undefined ? undefined : await whole(id)),
    get: async (id) => driven.get(await whole(id)),
    attach: async (id, after, onEnvelope) => driven.attach(await whole(id), after, onEnvelope),
  };
}

function pagePorts(pages: PagePorts, whole: ResolveId): PagePorts {
  return {
    ...pages,
    sessionEvents: async (query) => pages.sessionEvents(await withSession(query, "sessionId", whole)),
    verdicts: async (query) => pages.verdicts(await withSession(query, "session", whole)),
  };
}
