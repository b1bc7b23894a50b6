import type { HooklineEvent } from "../../src/event/event.ts";
import type { ControlRows, DrivenSessionRow } from "../../src/store/control-rows.ts";

/** The data that control rows are read from. */
export interface ControlTables {
  readonly events: HooklineEvent[];
  readonly summaries: { sessionId: string; createdAtIso: string; completed: string }[];
}

/** A minimal implementation: every query scans all events. */
export function openInMemoryControl({ events, summaries }: ControlTables): ControlRows {
  const driven = (): HooklineEvent[] => events.filter(({ eventType }) => eventType === "control.envelope");
  const ofSession = (sessionId: string): Record<string, unknown>[] =>
    driven()
      .filter((event) => event.sessionId === sessionId)
      .map((event) => event["envelope"] as Record<string, unknown>)
      .sort((a, b) => seqOf(a) - seqOf(b));
  const since = (iso: string): HooklineEvent[] => events.filter((event) => event.occurredAtIso >= iso);
  const unchecked = (iso: string): HooklineEvent[] =>
    since(iso).filter((event) => event.eventType === "control.verdict" && event.phase === "unchecked");
  return {
    envelopes: async (sessionId, afterSeq, limit) =>
      ofSession(sessionId)
        .filter((envelope) => seqOf(envelope) > afterSeq)
        .slice(0, limit),
    lastEnvelopeSeq: async (sessionId) => seqOf(ofSession(sessionId).at(-1) ?? {}),
    unfinishedSessions: async () =>
      sessionFolders(driven()).flatMap((row) => {
        const last = ofSession(row.sessionId).at(-1)!;
        const isClosed = last["type"] === "state" && last["state"] === "closed";
        return isClosed ? [] : [{ ...row, lastSeq: seqOf(last) }];
      }),
    sessionsWithLostRequests: async (iso) =>
      sessionFolders(
        driven().filter((event) => {
          const { type, outcome } = event["envelope"] as Record<string, unknown>;
          return event.occurredAtIso >= iso && String(type).endsWith(".resolved") && outcome === "lost";
        }),
      ),
    requestEvents: async (idStart, iso) =>
      since(iso).filter((event) => {
        const { cardId } = (event["card"] ?? {}) as Record<string, unknown>;
        const envelope = (event["envelope"] ?? {}) as Record<string, unknown>;
        const isRequest = /^(permission|question)\.(request|resolved)$/.test(String(envelope["type"]));
        const id = cardId ?? (isRequest ? (envelope["requestId"] ?? envelope["toolUseId"]) : undefined);
        return typeof id === "string" && id.startsWith(idStart);
      }),
    eventsSince: async (iso, limit) => events.slice(-limit).filter((event) => event.occurredAtIso >= iso),
    verdicts: async ({ sessionId, sinceIso = "", limit }) =>
      since(sinceIso)
        .filter((event) => event.eventType === "control.verdict" || event.phase === "decision")
        .filter((event) => sessionId === undefined || event.sessionId === sessionId)
        .sort(byTime)
        .reverse()
        .slice(0, limit),
    uncheckedCalls: async (iso) => ({
      count: unchecked(iso).length,
      lastAtIso: unchecked(iso).sort(byTime).at(-1)?.occurredAtIso ?? null,
    }),
    newestCalls: async (iso, limit) =>
      since(iso)
        .filter(({ eventType }) => eventType === "tool.start")
        .sort(byTime)
        .slice(-limit),
    hasEvent: async (id) => events.some((event) => event.id === id),
    async lastSummary(sessionId) {
      const own = summaries.filter((summary) => summary.sessionId === sessionId);
      const last = own.sort((a, b) => (a.createdAtIso < b.createdAtIso ? -1 : 1)).at(-1);
      return last === undefined ? null : { request: null, completed: last.completed };
    },
  };
}

function seqOf(envelope: Record<string, unknown>): number {
  return Number(envelope["seq"] ?? 0);
}

function byTime(a: HooklineEvent, b: HooklineEvent): number {
  return a.occurredAtIso < b.occurredAtIso ? -1 : 1;
}

function sessionFolders(events: readonly HooklineEvent[]): DrivenSessionRow[] {
  const folders = events.map(({ sessionId, projectPath, cwd }) => ({ sessionId, projectPath, cwd }));
  return [...new Map(folders.map((folder) => [folder.sessionId, folder])).values()].sort((a, b) =>
    a.sessionId < b.sessionId ? -1 : 1,
  );
}
