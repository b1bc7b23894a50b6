import { canonicalJson } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { type Dated, type EventTime, isAfter, type SessionView } from "./session-view.ts";

/** Decides which of two reports wins, independent of their order of arrival. */

export function eventTimeOf(view: SessionView, event: HooklineEvent): EventTime {
  const at = event.occurredAtIso;
  return { at, ms: Date.parse(at), order: view.eventCount, isHook: event.origin === "hook" };
}

export function newestTime<M extends EventTime>(known: M | null, time: M): M {
  return known === null || known.at === "" || isAfter(time, known) ? time : known;
}

/** The newer of two; ties are broken by a fixed rule. */
export function newest<T>(known: Dated<T> | null, event: HooklineEvent, value: T | null): Dated<T> | null {
  if (value === null) return known;
  const at = event.occurredAtIso;
  if (known !== null && (known.at > at || (known.at === at && !isGreater(value, known.value)))) return known;
  return { at, value };
}

/** The newer of two, even if the clock was changed between them. */
export function newestTimed(
  view: SessionView,
  known: (EventTime & Dated<string>) | null,
  event: HooklineEvent,
  value: string | null,
): (EventTime & Dated<string>) | null {
  if (value === null) return known;
  const candidate = { ...eventTimeOf(view, event), value };
  if (known === null || isAfter(candidate, known)) return candidate;
  return candidate.at === known.at && isGreater(value, known.value) ? candidate : known;
}

export function oldest<T>(known: Dated<T> | null, event: HooklineEvent, value: T | null): Dated<T> | null {
  if (value === null) return known;
  const at = event.occurredAtIso;
  if (known !== null && (known.at < at || (known.at === at && !isGreater(value, known.value)))) return known;
  return { at, value };
}

function isGreater(a: unknown, b: unknown): boolean {
  if (a === b) return false;
  return typeof a === "string" && typeof b === "string" ? a > b : canonicalJson(a) > canonicalJson(b);
}

export function later(known: string | null, at: string): string {
  return known === null || at > known ? at : known;
}
