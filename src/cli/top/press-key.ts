import type { SessionSnapshot } from "../../serve/contract.ts";
import { groupOf } from "../../shown/session-groups.ts";
import { currentGroup, toCurrent } from "./keep-current.ts";
import { pressAnswer, pressTyping } from "./press-answer.ts";
import { type Key, type Pressed, type ScreenOf, type Shown, stay } from "./pressed.ts";
import { SORTS, selectedOf, type TopView } from "./top-view.ts";

/** What a key does. Pure. */
export function pressKey(view: TopView, key: Key, shown: Shown): Pressed {
  if (key.name === "interrupt") return { view, act: { type: "quit" } };
  const { screen } = view;
  switch (screen.type) {
    case "typing":
      return pressTyping(view, screen, key, shown);
    case "help":
      return stay({ ...view, screen: { type: "list" } });
    case "detail":
      return pressDetail(view, screen, key, shown);
    case "tail": {
      const moved = moveBy(key, shown.page);
      if (moved === null)
        return key.name === "escape" || key.name === "enter" || /^[lq]$/.test(key.text)
          ? stay({ ...view, screen: { type: "list" } })
          : stay(view);
      const most = Math.max(0, (screen.lines?.length ?? 0) - 1);
      return stay({ ...view, screen: { ...screen, back: clamp(screen.back - moved, 0, most) } });
    }
    case "list":
      return pressList({ ...view, note: null }, key, shown);
    default:
      return screen satisfies never;
  }
}

function pressDetail(view: TopView, screen: ScreenOf<"detail">, key: Key, shown: Shown): Pressed {
  const moved = moveBy(key, shown.page);
  if (moved !== null)
    return stay({ ...view, screen: { ...screen, from: scrolled(screen.from, moved, shown) } });
  if (key.name === "escape" || key.name === "enter" || key.text === "q")
    return stay({ ...view, screen: { type: "list" } });
  const turned = turn(view, key, shown);
  if (turned !== null)
    return stay({ ...turned, screen: { ...screen, requestId: turned.current?.requestId ?? null, from: 0 } });
  const session = shown.rows.find(({ sessionId }) => sessionId === screen.sessionId);
  if (key.text === "t" && session !== undefined) return { view, act: { type: "jump", session } };
  return pressAnswer(view, key, shown);
}

function pressList(view: TopView, key: Key, shown: Shown): Pressed {
  const { rows } = shown;
  const session = selectedOf(rows, view);
  const moved = moveBy(key, shown.page);
  if (moved !== null) {
    const at = session === undefined ? 0 : rows.indexOf(session);
    return stay({ ...view, selected: rows[clamp(at + moved, 0, rows.length - 1)]?.sessionId ?? null });
  }
  const turned = turn(view, key, shown);
  if (turned !== null) return stay(turned);
  if (key.name === "enter") return session === undefined ? stay(view) : open(view, session, shown);
  if (key.name === "escape") return stay({ ...view, filter: "" });
  switch (key.text) {
    case "q":
      return { view, act: { type: "quit" } };
    case "?":
      return stay({ ...view, screen: { type: "help" } });
    case "/":
      return stay({
        ...view,
        screen: { type: "typing", what: "filter", text: view.filter, requestId: null },
      });
    case "S":
      return stay({ ...view, sort: SORTS[(SORTS.indexOf(view.sort) + 1) % SORTS.length]! });
    case "B":
      return stay({ ...view, isGrouped: !view.isGrouped });
    case "l":
      return session === undefined
        ? stay(view)
        : {
            view: {
              ...view,
              selected: session.sessionId,
              screen: { type: "tail", sessionId: session.sessionId, lines: null, back: 0 },
            },
            act: { type: "tail", session },
          };
    case "n":
      return stay({ ...view, selected: nextWaiting(rows, session) ?? view.selected });
    case "t":
      return session === undefined ? stay(view) : { view, act: { type: "jump", session } };
    default:
      return pressAnswer(view, key, shown);
  }
}

/** To another request of the session; null for another key. */
function turn(view: TopView, { name }: Key, { groups }: Shown): TopView | null {
  if (name !== "next" && name !== "previous") return null;
  const own = currentGroup(view.current, groups);
  const at = own === undefined ? -1 : groups.indexOf(own);
  const to = name === "next" ? groups[(at + 1) % groups.length] : groups.at(Math.max(at, 0) - 1);
  return to === undefined ? view : { ...view, selected: to.first.sessionId, current: toCurrent(to) };
}

function open(view: TopView, session: SessionSnapshot, { groups }: Shown): Pressed {
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

/** The end of what is asked comes before the end of what else is known. */
function scrolled(from: number, moved: number, { endFrom, maxFrom }: Shown): number {
  const isToEnd = moved === Number.MAX_SAFE_INTEGER;
  return clamp(from + moved, 0, isToEnd && from < endFrom ? endFrom : maxFrom);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
