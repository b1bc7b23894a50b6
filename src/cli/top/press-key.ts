import type { SessionSnapshot } from "../../serve/contract.ts";
import { groupOf } from "../../shown/session-groups.ts";
import { currentGroup, toCurrentRequest } from "./current-request.ts";
import { type Key, type KeyResult, noAction, type ScreenOf, type ShownScreen } from "./key-result.ts";
import { pressAnswer, pressTyping } from "./press-answer.ts";
import { SORTS, selectedSession, type TopView } from "./top-view.ts";

/** Returns the result of a key press. Pure. */
export function pressKey(view: TopView, key: Key, shown: ShownScreen): KeyResult {
  if (key.name === "interrupt") return { view, action: { type: "quit" } };
  const { screen } = view;
  switch (screen.type) {
    case "typing":
      return pressTyping(view, screen, key, shown);
    case "help":
      return noAction({ ...view, screen: { type: "list" } });
    case "detail":
      return pressDetail(view, screen, key, shown);
    case "tail": {
      const distance = moveBy(key, shown.page);
      if (distance === null)
        return key.name === "escape" || key.name === "enter" || /^[lq]$/.test(key.text)
          ? noAction({ ...view, screen: { type: "list" } })
          : noAction(view);
      const max = Math.max(0, (screen.lines?.length ?? 0) - 1);
      return noAction({ ...view, screen: { ...screen, back: clamp(screen.back - distance, 0, max) } });
    }
    case "list":
      return pressList({ ...view, note: null }, key, shown);
    default:
      return screen satisfies never;
  }
}

function pressDetail(view: TopView, screen: ScreenOf<"detail">, key: Key, shown: ShownScreen): KeyResult {
  const distance = moveBy(key, shown.page);
  if (distance !== null)
    return noAction({ ...view, screen: { ...screen, from: scrollFrom(screen.from, distance, shown) } });
  if (key.name === "escape" || key.name === "enter" || key.text === "q")
    return noAction({ ...view, screen: { type: "list" } });
  const switched = switchRequest(view, key, shown);
  if (switched !== null)
    return noAction({
      ...switched,
      screen: { ...screen, requestId: switched.current?.requestId ?? null, from: 0 },
    });
  const session = shown.rows.find(({ sessionId }) => sessionId === screen.sessionId);
  if (key.text === "t" && session !== undefined) return { view, action: { type: "jump", session } };
  return pressAnswer(view, key, shown);
}

function pressList(view: TopView, key: Key, shown: ShownScreen): KeyResult {
  const { rows } = shown;
  const session = selectedSession(rows, view);
  const distance = moveBy(key, shown.page);
  if (distance !== null) {
    const index = session === undefined ? 0 : rows.indexOf(session);
    return noAction({
      ...view,
      selected: rows[clamp(index + distance, 0, rows.length - 1)]?.sessionId ?? null,
    });
  }
  const switched = switchRequest(view, key, shown);
  if (switched !== null) return noAction(switched);
  if (key.name === "enter") return session === undefined ? noAction(view) : open(view, session, shown);
  if (key.name === "escape") return noAction({ ...view, filter: "" });
  switch (key.text) {
    case "q":
      return { view, action: { type: "quit" } };
    case "?":
      return noAction({ ...view, screen: { type: "help" } });
    case "/":
      return noAction({
        ...view,
        screen: { type: "typing", what: "filter", text: view.filter, requestId: null },
      });
    case "S":
      return noAction({ ...view, sort: SORTS[(SORTS.indexOf(view.sort) + 1) % SORTS.length]! });
    case "B":
      return noAction({ ...view, isGrouped: !view.isGrouped });
    case "l":
      return session === undefined
        ? noAction(view)
        : {
            view: {
              ...view,
              selected: session.sessionId,
              screen: { type: "tail", sessionId: session.sessionId, lines: null, back: 0 },
            },
            action: { type: "tail", session },
          };
    case "n":
      return noAction({ ...view, selected: nextWaiting(rows, session) ?? view.selected });
    case "t":
      return session === undefined ? noAction(view) : { view, action: { type: "jump", session } };
    default:
      return pressAnswer(view, key, shown);
  }
}

/** Switches to another request of the session; null for other keys. */
function switchRequest(view: TopView, { name }: Key, { groups }: ShownScreen): TopView | null {
  if (name !== "next" && name !== "previous") return null;
  const group = currentGroup(view.current, groups);
  const index = group === undefined ? -1 : groups.indexOf(group);
  const next = name === "next" ? groups[(index + 1) % groups.length] : groups.at(Math.max(index, 0) - 1);
  return next === undefined
    ? view
    : { ...view, selected: next.first.sessionId, current: toCurrentRequest(next) };
}

function open(view: TopView, session: SessionSnapshot, { groups }: ShownScreen): KeyResult {
  const { sessionId } = session;
  const group = currentGroup(view.current, groups);
  const requestId = group === undefined ? null : (view.current?.requestId ?? null);
  return {
    view: {
      ...view,
      selected: sessionId,
      screen: { type: "detail", sessionId, requestId, lines: null, from: 0 },
    },
    action: { type: "detail", session },
  };
}

function nextWaiting(
  rows: readonly SessionSnapshot[],
  from: SessionSnapshot | undefined,
): string | undefined {
  const index = from === undefined ? -1 : rows.indexOf(from);
  const rotated = [...rows.slice(index + 1), ...rows.slice(0, index + 1)];
  return rotated.find((session) => groupOf(session) === "needYou")?.sessionId;
}

function moveBy({ name, text }: Key, page: number): number | null {
  if (name === "down" || text === "j") return 1;
  if (name === "up" || text === "k") return -1;
  if (name === "pageDown") return page;
  if (name === "pageUp") return -page;
  if (name === "home") return -Number.MAX_SAFE_INTEGER;
  return name === "end" || text === "G" ? Number.MAX_SAFE_INTEGER : null;
}

/** A jump to the end stops at the end of the request first, then at the end of the other details. */
function scrollFrom(from: number, distance: number, { endFrom, maxFrom }: ShownScreen): number {
  const isJumpToEnd = distance === Number.MAX_SAFE_INTEGER;
  return clamp(from + distance, 0, isJumpToEnd && from < endFrom ? endFrom : maxFrom);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
