import type { Card, CardAnswer } from "../../control/control-contract.ts";
import { questionsOf } from "../../monitor/tool-text.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { toAnswer } from "../asked.ts";
import { oneLine } from "../plain-text.ts";
import { groupOf } from "../session-face.ts";
import { SORTS, selectedOf, type TopView } from "./top-view.ts";

export interface Key {
  readonly name:
    | "char"
    | "up"
    | "down"
    | "pageUp"
    | "pageDown"
    | "home"
    | "end"
    | "enter"
    | "escape"
    | "backspace"
    | "interrupt";
  readonly text: string;
  /** It came together with others. */
  readonly isPasted?: boolean;
}

/** What is to be done beside showing something else. */
export type Act =
  | { readonly type: "quit" }
  | { readonly type: "answer"; readonly card: Card; readonly answer: CardAnswer }
  | { readonly type: "again"; readonly card: Card }
  | { readonly type: "jump"; readonly session: SessionSnapshot }
  | { readonly type: "detail"; readonly session: SessionSnapshot; readonly card: Card | undefined }
  | { readonly type: "tail"; readonly session: SessionSnapshot };

export interface Pressed {
  readonly view: TopView;
  readonly act: Act | null;
}

export interface Shown {
  readonly rows: readonly SessionSnapshot[];
  /** The request of the chosen session. */
  readonly card: Card | undefined;
  /** Whether all of it is on the screen: nobody allows what he cannot see. */
  readonly isWhole: boolean;
  /** How long it has been there: who presses at the moment it appears meant something else. */
  readonly cardMs: number;
  readonly page: number;
}

const TOO_SOON_MS = 300;

/** What a key does. Pure. */
export function pressKey(view: TopView, key: Key, shown: Shown): Pressed {
  if (key.name === "interrupt") return { view, act: { type: "quit" } };
  const { screen } = view;
  switch (screen.type) {
    case "typing":
      return pressTyping(view, screen, key, shown);
    case "help":
      return stay({ ...view, screen: { type: "list" } });
    case "detail": {
      const moved = moveBy(key, shown.page);
      if (moved !== null) {
        const most = Math.max(0, (screen.lines?.length ?? 0) - 1);
        return stay({ ...view, screen: { ...screen, from: clamp(screen.from + moved, 0, most) } });
      }
      if (key.name === "escape" || key.name === "enter" || key.text === "q")
        return stay({ ...view, screen: { type: "list" } });
      // What it shows was asked for at one time: meanwhile something else may be asked.
      return pressList(view, key, { ...shown, isWhole: shown.card?.id === screen.cardId });
    }
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

function pressList(view: TopView, key: Key, shown: Shown): Pressed {
  const { rows } = shown;
  const session = selectedOf(rows, view);
  const moved = moveBy(key, shown.page);
  if (moved !== null) {
    const at = session === undefined ? 0 : rows.indexOf(session);
    return stay({ ...view, selected: rows[clamp(at + moved, 0, rows.length - 1)]?.sessionId ?? null });
  }
  if (key.name === "enter")
    return session === undefined
      ? stay(view)
      : {
          view: {
            ...view,
            selected: session.sessionId,
            screen: { type: "detail", lines: null, from: 0, cardId: shown.card?.id ?? null },
          },
          act: { type: "detail", session, card: shown.card },
        };
  if (key.name === "escape") return stay({ ...view, filter: "" });
  switch (key.text) {
    case "q":
      return { view, act: { type: "quit" } };
    case "?":
      return stay({ ...view, screen: { type: "help" } });
    case "/":
      return stay({ ...view, screen: { type: "typing", what: "filter", text: view.filter } });
    case "s":
      return stay({ ...view, sort: SORTS[(SORTS.indexOf(view.sort) + 1) % SORTS.length]! });
    case "g":
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

function pressAnswer(view: TopView, { text, isPasted }: Key, { card, cardMs, isWhole }: Shown): Pressed {
  if (!/^[yYaAdDr1-9]$/.test(text)) return stay(view);
  if (isPasted === true) return stay({ ...view, note: "What is pasted answers nothing." });
  if (card === undefined) return stay({ ...view, note: "Nothing of it can be answered from here." });
  if (cardMs < TOO_SOON_MS) return stay({ ...view, note: "It has just come: look, then answer." });
  if (!isWhole && !/^[dDr]$/.test(text))
    return stay({ ...view, note: "Not all of it is on the screen: ↵ shows it whole, and can be answered." });
  // While it is answered the row must stay where it is.
  const held = { ...view, selected: card.sessionId };
  if (card.status === "lost")
    return text === "r"
      ? { view: held, act: { type: "again", card } }
      : stay({ ...held, note: "r asks again." });
  if (text === "D" || text === "d")
    return text === "d"
      ? { view: held, act: { type: "answer", card, answer: { decision: "deny" } } }
      : stay({ ...held, screen: { type: "typing", what: "deny", text: "" } });
  if (card.kind === "question") {
    if (/[ya]/i.test(text)) return stay({ ...held, note: "It is a question: 1-9, or r to type an answer." });
    const isPlain = questionsOf({ questions: card.questions }).length === 1;
    const digit = /\d/.test(text) ? text : "";
    if (digit === "" || !isPlain || questionsOf({ questions: card.questions })[0]?.multiSelect)
      return stay({ ...held, screen: { type: "typing", what: "reply", text: digit } });
    return answered(held, card, digit);
  }
  if (text === "r") return stay({ ...held, screen: { type: "typing", what: "deny", text: "" } });
  const line = { y: "y", Y: "y", a: "a", A: "a tool" }[text];
  return line === undefined ? stay(held) : answered(held, card, line);
}

function pressTyping(
  view: TopView,
  screen: TopView["screen"] & { readonly type: "typing" },
  key: Key,
  { card }: Shown,
): Pressed {
  const { what, text } = screen;
  const list = { ...view, screen: { type: "list" } } as const;
  if (key.name === "escape") return stay(what === "filter" ? { ...list, filter: "" } : list);
  if (key.name === "backspace" || key.name === "char") {
    const next = key.name === "char" ? text + typed(key.text) : [...text].slice(0, -1).join("");
    const filter = what === "filter" ? { filter: next } : {};
    return stay({ ...view, ...filter, screen: { ...screen, text: next } });
  }
  if (key.name !== "enter") return stay(view);
  if (what === "filter") return stay({ ...list, filter: oneLine(text) });
  if (card === undefined) return stay({ ...list, note: "It is settled by now." });
  if (what === "reply") return answered(list, card, text);
  const message = text.trim();
  const answer: CardAnswer = message === "" ? { decision: "deny" } : { decision: "deny", message };
  return { view: list, act: { type: "answer", card, answer } };
}

function answered(view: TopView, card: Card, line: string): Pressed {
  const given = toAnswer(card, line);
  if (given.type === "unclear") return stay({ ...view, note: `To answer: ${given.how}.` });
  return { view, act: { type: "answer", card, answer: given.answer } };
}

/** What is pasted comes as one text. */
function typed(text: string): string {
  return oneLine(`|${text}|`).slice(1, -1);
}

function nextWaiting(
  rows: readonly SessionSnapshot[],
  from: SessionSnapshot | undefined,
): string | undefined {
  const at = from === undefined ? -1 : rows.indexOf(from);
  const turned = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
  return turned.find((session) => groupOf(session) === "need you")?.sessionId;
}

function moveBy({ name, text }: Key, page: number): number | null {
  if (name === "down" || text === "j") return 1;
  if (name === "up" || text === "k") return -1;
  if (name === "pageDown") return page;
  if (name === "pageUp") return -page;
  if (name === "home") return -Number.MAX_SAFE_INTEGER;
  return name === "end" || text === "G" ? Number.MAX_SAFE_INTEGER : null;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

function stay(view: TopView): Pressed {
  return { view, act: null };
}
