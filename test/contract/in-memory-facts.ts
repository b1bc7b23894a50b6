import { type HooklineEvent, isEvent } from "../../src/event/event.ts";
import { factId } from "../../src/event/ids.ts";
import { mergeEvents, normalizeEvent } from "../../src/event/merge.ts";
import type { LogPart, Position } from "../../src/log/log.ts";
import { withoutContent } from "../../src/privacy/private-event.ts";
import type { Facts, PromptState, StreamOffset } from "../../src/store/facts.ts";
import { redactAgain } from "../../src/store/redact-again.ts";

interface Fact {
  readonly seq: number;
  readonly event: HooklineEvent;
  readonly first: LogPart;
  readonly last: LogPart;
}

/** State that survives reopening. Replaced as a whole, so it never contains half a batch. */
export interface FactTables {
  facts: ReadonlyMap<string, Fact>;
  position: Position | undefined;
  refused: ReadonlySet<string>;
  readonly offsets: Map<string, StreamOffset>;
  readonly removals: Map<string, string>;
  /** Ids that the engine refuses. */
  readonly refuses: Set<string>;
  /** Whether saving the position fails. */
  isFailing: boolean;
}

export function createFactTables(): FactTables {
  return {
    facts: new Map(),
    position: undefined,
    refused: new Set(),
    offsets: new Map(),
    removals: new Map(),
    refuses: new Set(),
    isFailing: false,
  };
}

/** A minimal implementation: a map that is copied, changed and swapped in. */
export function openInMemoryFacts(tables: FactTables): Facts {
  const rows = (): Fact[] => [...tables.facts.values()].sort((a, b) => a.seq - b.seq);
  const page = (found: readonly Fact[], limit: number) =>
    found.slice(0, limit).map(({ seq, event }) => ({ seq, event }));
  return {
    position: async () => tables.position,
    async apply({ lines, part, next }) {
      const facts = new Map(tables.facts);
      const refused = new Set(tables.refused);
      const invalidLines: string[] = [];
      let [events, lastEventIso, refusals]: [number, string | null, number] = [0, null, 0];
      let seq = Math.max(0, ...rows().map((row) => row.seq));
      for (const line of lines.filter((each) => each.trim() !== "")) {
        const value = parse(line);
        if (value === undefined) {
          invalidLines.push(line);
          continue;
        }
        const event = normalizeEvent(redactAgain(value));
        events++;
        lastEventIso = event.occurredAtIso;
        const known = facts.get(event.id);
        if (tables.refuses.has(event.id)) {
          refusals++;
          refused.add(event.id);
        } else
          facts.set(event.id, {
            seq: known?.seq ?? ++seq,
            event: known === undefined ? event : mergeEvents(known.event, event),
            first: Math.min(known?.first ?? part, part),
            last: Math.max(known?.last ?? part, part),
          });
      }
      hidePrivate(facts);
      if (tables.isFailing && next !== tables.position) throw new Error("the engine failed");
      tables.facts = facts;
      tables.refused = refused;
      tables.position = next;
      return { events, lastEventIso, invalidLines, refused: refusals };
    },
    events: async ({ after, limit, sessionId }) =>
      page(
        rows().filter((row) => row.seq > after && (sessionId ?? row.event.sessionId) === row.event.sessionId),
        limit,
      ),
    async sessionEvents({ sessionId, after, before, limit }) {
      const found = rows().filter((row) => row.event.sessionId === sessionId && row.seq > after);
      if (before === undefined) return page(found, limit);
      return page(found.filter((row) => row.seq < before).reverse(), limit);
    },
    blob: async () => undefined,
    async prompts(ids) {
      const found = new Map<string, PromptState>();
      for (const id of ids) {
        const reports = rows().filter(
          ({ event }) => event.eventType === "turn.start" && event.promptId === id,
        );
        const slashCommand = tables.facts.get(factId("slash", id, "in_progress"))?.event;
        if (reports.length === 0 && slashCommand === undefined) continue;
        const isPrivate = reports.some(({ event }) => event["private"] === true);
        found.set(id, { eventIds: reports.map(({ event }) => event.id), isPrivate, slashCommand });
      }
      return found;
    },
    privateFacts: async (ids) => new Set(ids.filter((id) => tables.facts.get(id)?.event["private"] === true)),
    streamOffset: async (key) => tables.offsets.get(key),
    async saveStreamOffset(key, offset, lastEventIso) {
      const updatedAtIso = lastEventIso ?? tables.offsets.get(key)?.updatedAtIso ?? "";
      tables.offsets.set(key, { ...offset, updatedAtIso });
    },
    async *factsOf(parts) {
      for (const { event, first, last } of rows())
        if (parts.some((part) => first <= part && part <= last)) yield event;
    },
    hasFact: async (id) => tables.facts.has(id),
    async moveFacts(from, to) {
      const toMovedPart = (part: LogPart): LogPart => (from.includes(part) ? to : part);
      tables.facts = new Map(
        [...tables.facts].map(([id, fact]) => [
          id,
          { ...fact, first: toMovedPart(fact.first), last: toMovedPart(fact.last) },
        ]),
      );
    },
    async summary() {
      const events = rows().map(({ event }) => event);
      const last = new Map<string, string>();
      for (const { origin, occurredAtIso } of events)
        if ((last.get(origin) ?? "") < occurredAtIso) last.set(origin, occurredAtIso);
      return {
        events: events.length,
        sessions: new Set(events.map(({ sessionId }) => sessionId)).size,
        refused: tables.refused.size,
        lastEventPerSource: Object.fromEntries(last),
      };
    },
    async *factsOfSession(sessionId) {
      for (const { event } of rows()) if (event.sessionId === sessionId) yield event;
    },
    pendingRemovals: async () =>
      [...tables.removals].sort().map(([sessionId, beforeIso]) => ({ sessionId, beforeIso })),
    requestRemoval: async (sessionId, beforeIso) => void tables.removals.set(sessionId, beforeIso),
    cancelRemoval: async (sessionId) => void tables.removals.delete(sessionId),
    async removeSession(sessionId) {
      tables.facts = new Map([...tables.facts].filter(([, { event }]) => event.sessionId !== sessionId));
      tables.removals.delete(sessionId);
    },
    async sessionsOlderThan(iso) {
      return spans(rows())
        .filter(({ last }) => last < iso)
        .map(({ sessionId }) => sessionId);
    },
    newestSessionBefore: async (iso) =>
      spans(rows())
        .map(({ first }) => first)
        .findLast((first) => first <= iso) ?? null,
  };
}

/** The first and last event of each session, oldest first. */
function spans(rows: readonly Fact[]): { sessionId: string; first: string; last: string }[] {
  const found = new Map<string, string[]>();
  for (const { event } of rows)
    found.set(event.sessionId, [...(found.get(event.sessionId) ?? []), event.occurredAtIso]);
  return [...found]
    .map(([sessionId, times]) => ({ sessionId, first: times.sort()[0]!, last: times.at(-1)! }))
    .sort((a, b) => (a.first < b.first ? -1 : 1));
}

/** The first prompt of a turn decides whether the turn is private. */
function hidePrivate(facts: Map<string, Fact>): void {
  const first = new Map<string, HooklineEvent>();
  for (const { event } of facts.values()) {
    if (event.eventType !== "turn.start" || event.promptId == null) continue;
    const known = first.get(event.promptId);
    if (known === undefined || event.occurredAtIso < known.occurredAtIso) first.set(event.promptId, event);
  }
  for (const [id, fact] of facts)
    if (first.get(fact.event.promptId ?? "")?.["private"] === true)
      facts.set(id, { ...fact, event: normalizeEvent(withoutContent(fact.event)) });
}

function parse(line: string): HooklineEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
