/** One event of a session as `/api/events` gives it. Everything in it was told by others: read it through these. */
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

/** By time, then in the order in which they were stored: hooks and transcripts tell of one moment at two times. */
export function inOrder(events: Iterable<SessionEvent>): SessionEvent[] {
  return [...events].sort((a, b) =>
    a.occurredAtIso === b.occurredAtIso ? a.seq - b.seq : a.occurredAtIso < b.occurredAtIso ? -1 : 1,
  );
}
