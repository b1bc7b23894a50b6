import { canonicalJson } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { type Dated, isAfter, type Mark, type SessionView } from "./session-view.ts";

/** Which of two tellings holds. The choice never depends on which came first. */

export function markOf(view: SessionView, event: HooklineEvent): Mark {
  const at = event.occurredAtIso;
  return { at, ms: Date.parse(at), order: view.told, isHook: event.origin === "hook" };
}

export function newestMark<M extends Mark>(known: M | null, mark: M): M {
  return known === null || known.at === "" || isAfter(mark, known) ? mark : known;
}

/** The newer of two; of two at the same moment, one by a fixed rule. */
export function newest<T>(known: Dated<T> | null, event: HooklineEvent, value: T | null): Dated<T> | null {
  if (value === null) return known;
  const at = event.occurredAtIso;
  if (known !== null && (known.at > at || (known.at === at && !isGreater(value, known.value)))) return known;
  return { at, value };
}

/** The newer of two, also where the clock was moved between them. */
export function newestTold(
  view: SessionView,
  known: (Mark & Dated<string>) | null,
  event: HooklineEvent,
  value: string | null,
): (Mark & Dated<string>) | null {
  if (value === null) return known;
  const told = { ...markOf(view, event), value };
  if (known === null || isAfter(told, known)) return told;
  return told.at === known.at && isGreater(value, known.value) ? told : known;
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
