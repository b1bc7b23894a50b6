import type { SessionView, StatusView, WaitView } from "./session-view.ts";

/**
 * When the terminal's own dialog of a request was answered, as far as the agent's registry shows: it says
 * `waiting` until the last open dialog is answered, and not which of several was. It says nothing about a
 * request held without a dialog (`isBlocking`) until the hold is over.
 */
export function dialogClosedAt(view: SessionView, wait: WaitView): string | null {
  const from = dialogShownAt(view, wait);
  if (from === null) return null;
  const statuses = [...view.statuses.values()]
    .filter(({ at }) => at > from)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const isWaiting = ({ status }: StatusView): boolean => status === "waiting";
  for (let index = Math.max(0, statuses.findIndex(isWaiting)); index < statuses.length; ) {
    const answered = statuses.slice(index).find((status) => !isWaiting(status));
    if (answered === undefined) return null;
    const nextWaiting = statuses.find((status) => isWaiting(status) && status.at > answered.at);
    if (nextWaiting === undefined || isNewDialog(view, wait, answered.at, nextWaiting.at)) return answered.at;
    index = statuses.indexOf(nextWaiting);
  }
  return null;
}

/** The time from which the terminal can show a dialog for the request; null while it cannot. */
function dialogShownAt(view: SessionView, wait: WaitView): string | null {
  const hold = view.holds.get(wait.id);
  if (hold === undefined || !hold.isBlocking) return wait.at;
  return hold.endedAt;
}

/** Whether a dialog opened after the others were answered: they are not open again. */
function isNewDialog(view: SessionView, wait: WaitView, closedAt: string, againAt: string): boolean {
  return [...view.waits.values()].some((other) => {
    if (other === wait) return false;
    const from = dialogShownAt(view, other);
    return from !== null && from > closedAt && from <= againAt;
  });
}
