import type { SessionSnapshot } from "../../serve/contract.ts";
import { groupOf } from "../../shown/session-groups.ts";
import { currentGroup, toCurrentRequest } from "./current-request.ts";
import { type Key, type KeyResult, noAction, type ScreenOf, type ShownScreen } from "./key-result.ts";
import { pressAnswer, pressTyping } from "./press-answer.ts";
import { SORTS, selectedSession, type TopView } from "./top-view.ts";

/** Returns the result of a key press. Pure. */
export function pressKey(view: TopView, key: Key, shown: ShownScreen): KeyResult {
  if (key.name === "interrupt") return { view, act: { type: "quit" } };
  const { screen } = view;
  switch (screen.type) {
    case "typing":
      return pressTyping(view, screen, key, shown);
    case "help":
      return noAction({ ...view, screen: { type: "list" } });
    case "detail":
      return pressDetail(view, screen, key, shown);
    case "tail": {
      const moved = moveBy(key, shown.page);
      if (moved === null)
        return key.name === "escape" || key.name === "enter" || /^[lq]$/.test(key.text)
          ? noAction({ ...view, screen: { type: "list" } })
          : noAction(view);
      const most = Math.max(0, (screen.lines?.length ?? 0) - 1);
      return noAction({ ...view, screen: { ...screen, back: clamp(screen.back - moved, 0, most) } });
    }
    case "list":
      return pressList({ ...view, note: null }, key, shown);
    default:
      return screen satisfies never;
  }
}

function pressDetail(view: TopView, screen: ScreenOf<"detail">, key: Key, shown: ShownScreen): KeyResult {
  const moved = moveBy(key, shown.page);
  if (moved !== null)
    return noAction({ ...view, screen: { ...screen, from: scrolled(screen.from, moved, shown) } });
  if (key.name === "escape" || key.name === "enter" || key.text === "q")
    return noAction({ ...view, screen: { type: "list" } });
  const turned = turn(view, key, shown);
  if (turned !== null)
    return noAction({
      ...turned,
      screen: { ...screen, requestId: turned.current?.requestId ?? null, from: 0 },
    });
  const session = shown.rows.find(({ sessionId }) => sessionId === screen.sessionId);
  if (key.text === "t" && session !== undefined) return { view, act: { type: "jump", session } };
  return pressAnswer(view, key, shown);
}

function pressList(view: TopView, key: Key, shown: ShownScreen): KeyResult {
  const { rows } = shown;
  const session = selectedSession(rows, view);
  const moved = moveBy(key, shown.page);
  if (moved !== null) {
    const at = session === undefined ? 0 : rows.indexOf(session);
    return noAction({ ...view, selected: rows[clamp(at + moved, 0, rows.length - 1)]?.sessionId ?? null });
  }
  const turned = turn(view, key, shown);
  if (turned !== null) return noAction(turned);
  if (key.name === "enter") return session === undefined ? noAction(view) : open(view, session, shown);
  if (key.name === "escape") return noAction({ ...view, filter: "" });
  switch (key.text) {
    case "q":
      return { view, act: { type: "quit" } };
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
            act: { type: "tail", session },
          };
    case "n":
      return noAction({ ...view, selected: nextWaiting(rows, session) ?? view.selected });
    case "t":
      return session === undefined ? noAction(view) : { view, act: { type: "jump", session } };
    default:
      return pressAnswer(view, key, shown);
  }
}

/** Switches to another request of the session; null for other keys. */
function turn(view: TopView, { name }: Key, { groups }: ShownScreen): TopView | null {
  if (name !== "next" && name !== "previous") return null;
  const own = currentGroup(view.current, groups);
  const at = own === undefined ? -1 : groups.indexOf(own);
  const to = name === "next" ? groups[(at + 1) % groups.length] : groups.at(Math.max(at, 0) - 1);
  return to === undefined ? view : { ...view, selected: to.first.sessionId, current: toCurrentRequest(to) };
}

function open(view: TopView, session: SessionSnapshot, { groups }: ShownScreen): KeyResult {
  const { sessionId } = session;
  const own = currentGroup(view.current, groups);
  const requestId = own === undefined ? null : (view.current?.requestId ?? null);
  return {
    view: {
      ...view,
      selected: sessionId,
      screen: { type: "detail", sessionId, requestId, lines: null, from: 0 },
    },
    act: { type: "detail", session },
  };
}

function nextWaiting(
  rows: readonly SessionSnapshot[],
  from: SessionSnapshot | undefined,
): string | undefined {
  const at = from === undefined ? -1 : rows.indexOf(from);
  const turned = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
  return turned.find((session) => groupOf(session) === "needYou")?.sessionId;
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
function scrolled(from: number, moved: number, { endFrom, maxFrom }: ShownScreen): number {
  const isToEnd = moved === Number.MAX_SAFE_INTEGER;
  return clamp(from + moved, 0, isToEnd && from < endFrom ? endFrom : maxFrom);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
