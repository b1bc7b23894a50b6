import { live } from "../api/live.ts";
import { byLongestWait, needsAttention } from "../components/session-status.ts";
import { go } from "./router.ts";

/** Moves the focus to the next or previous row, across lists. */
export function moveRowFocus(direction: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  if (rows.length === 0) return;
  const index = rows.findIndex((row) => row.contains(document.activeElement));
  focusRow(
    rows[
      index === -1
        ? direction > 0
          ? 0
          : rows.length - 1
        : Math.max(0, Math.min(rows.length - 1, index + direction))
    ],
  );
}

function focusRow(row: HTMLElement | undefined): void {
  const target = row?.matches("a,button,[tabindex]")
    ? row
    : row?.querySelector<HTMLElement>("a,button,[tabindex]");
  target?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
}

/** Goes to the next pending request: its card if the page has cards, else its page. */
export function goToNextRequest(): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".requests > .request-card:not(.settled)")];
  if (cards.length > 0) {
    focusRow(cards[(cards.findIndex((card) => card.contains(document.activeElement)) + 1) % cards.length]);
    return;
  }
  const waiting = [...live.get().sessions.values()].filter(needsAttention).sort(byLongestWait);
  const index = waiting.findIndex(({ sessionId }) => location.pathname === `/s/${sessionId}`);
  const next = waiting[(index + 1) % Math.max(1, waiting.length)];
  if (next !== undefined) go(`/s/${next.sessionId}`);
}
