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
const MAX_LISTED_IDS = 5;

/**
 * The same ports, accepting an id prefix for a session. Done once for all routes: lists print eight letters of an id,
 * so every route must accept those. An unknown id is passed on unchanged.
 */
export function withResolvedIds<Ports extends IdPorts>(ports: Ports): Ports {
  const { memory, control, pages } = ports;
  const resolve: ResolveId = async (id) => resolveId(id, (await ports.sessionIds?.(id)) ?? [], "session");
  return {
    ...ports,
    events: async (query) => ports.events(await withSession(query, "sessionId", resolve)),
    ...(memory !== undefined && { memory: memoryPorts(memory, resolve) }),
    ...(control !== undefined && { control: controlPorts(control, resolve) }),
    ...(pages !== undefined && { pages: pagePorts(pages, resolve) }),
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
  const settledCards = (await ports.findSettled(id)).filter(
    (card) => (sessionId ?? card.sessionId) === card.sessionId,
  );
  const resolvedId = resolveId(
    id,
    settledCards.map((card) => card.id),
    "card",
  );
  return settledCards.findLast((card) => card.id === resolvedId);
}

function resolveRequest(id: string, open: readonly Card[]): string {
  const ids = open.map((card) => card.id);
  if (ids.some((otherId) => otherId.startsWith(id))) return resolveId(id, ids, "card");
  const idsOfCall = open.filter(({ toolUseId }) => toolUseId === id).map((card) => card.id);
  if (idsOfCall.length > 1)
    throw new AppError("card_ambiguous", `${id} belongs to several requests: ${idsOfCall.join(", ")}`);
  return idsOfCall[0] ?? id;
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
  const matches = [...new Set(known.filter((otherId) => otherId.startsWith(id)))].sort();
  if (matches.length > 1) throw ambiguousIdError(id, matches, what);
  return matches[0] ?? id;
}

function ambiguousIdError(id: string, matches: readonly string[], what: "session" | "card"): AppError {
  const listed = matches.length > MAX_LISTED_IDS ? [...matches.slice(0, MAX_LISTED_IDS), "…"] : matches;
  const noun = what === "session" ? "sessions" : "requests";
  return new AppError(`${what}_ambiguous`, `${id} matches several ${noun}: ${listed.join(", ")}`);
}

async function withSession<Q extends object, K extends keyof Q>(
  query: Q,
  key: K,
  resolve: ResolveId,
): Promise<Q> {
  const id = query[key];
  return typeof id === "string" ? { ...query, [key]: await resolve(id) } : query;
}

function memoryPorts(memory: MemoryPorts, resolve: ResolveId): MemoryPorts {
  return {
    ...memory,
    search: async (query) =>
      memory.search({ ...query, filters: await withSession(query.filters, "session", resolve) }),
    injections: async (query) => memory.injections(await withSession(query, "session", resolve)),
    forget: async (request) => memory.forget(await withSession(request, "session", resolve)),
    switchContext: async (change) =>
      memory.switchContext("session" in change ? await withSession(change, "session", resolve) : change),
  };
}

function controlPorts(control: ControlPorts, resolve: ResolveId): ControlPorts {
  return {
    ...control,
    driven: drivenSessions(control.driven, resolve),
    sendToTerminal: async (request) =>
      control.sendToTerminal(await withSession(request, "sessionId", resolve)),
  };
}

/** Driven sessions come first, by our id or Claude's. */
function drivenSessions(driven: DrivenPorts, orAny: ResolveId): DrivenPorts {
  const resolve: ResolveId = async (id) => {
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
    start: async (request) => driven.start(await withSession(request, "resume", resolve)),
    send: async (id, request) => driven.send(await resolve(id), request),
    stop: async (id, commandId) => driven.stop(await resolve(id), commandId),
    close: async (id, commandId) => driven.close(await resolve(id), commandId),
    setMode: async (id, mode, who, commandId) => driven.setMode(await resolve(id), mode, who, commandId),
    setModel: async (id, model, commandId) => driven.setModel(await resolve(id), model, commandId),
    rewind: async (id, request) => driven.rewind(await resolve(id), request),
    answer: async (id, requestId, answer) => driven.answer(await resolve(id), requestId, answer),
    askAgain: async (id, requestId, request) => driven.askAgain(await resolve(id), requestId, request),
    card: async (requestId, id) => driven.card(requestId, id === undefined ? undefined : await resolve(id)),
    get: async (id) => driven.get(await resolve(id)),
    attach: async (id, after, onEnvelope) => driven.attach(await resolve(id), after, onEnvelope),
  };
}

function pagePorts(pages: PagePorts, resolve: ResolveId): PagePorts {
  return {
    ...pages,
    sessionEvents: async (query) => pages.sessionEvents(await withSession(query, "sessionId", resolve)),
    verdicts: async (query) => pages.verdicts(await withSession(query, "session", resolve)),
  };
}
