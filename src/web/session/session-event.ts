/** One event of a session as returned by `/api/events`. All of it is untrusted: read it through these. */
export interface SessionEvent {
  readonly seq: number;
  readonly id: string;
  readonly eventType: string;
  readonly phase?: string | null;
  readonly occurredAtIso: string;
  readonly agentId?: string | null;
  readonly promptId?: string | null;
  readonly toolUseId?: string | null;
  readonly [field: string]: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function timeOf({ occurredAtIso }: Pick<SessionEvent, "occurredAtIso">): number {
  return Date.parse(occurredAtIso) || 0;
}

/** Sorts by time, then by stored order, because hooks and transcripts report the same moment twice. */
export function sortEvents(events: Iterable<SessionEvent>): SessionEvent[] {
  return [...events].sort((a, b) =>
    a.occurredAtIso === b.occurredAtIso ? a.seq - b.seq : a.occurredAtIso < b.occurredAtIso ? -1 : 1,
  );
}
