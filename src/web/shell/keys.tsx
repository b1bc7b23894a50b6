import { useEffect, useRef, useState } from "react";
import { useStrings } from "../i18n/strings.ts";
import { KeyHelp } from "./key-help.tsx";
import { MENU } from "./menu.ts";
import { Palette } from "./palette.tsx";
import { isTyping, leaveField, pressAnswer, pressPageKey, toLatinKey } from "./press-key.ts";
import { go } from "./router.ts";
import { goToNextRequest, moveRowFocus } from "./row-focus.ts";
import { SESSION_ACTIONS } from "./session-actions.ts";
import { adjacentSessionId, findSession, focusedSessionId, pageSessionId } from "./shown-sessions.ts";
import { hasSingleKeys } from "./single-keys.ts";
import "./keys.css";

/** How long to wait for a page's letter after `g`. */
const CHORD_MS = 1_200;

/** Keys for every page, their help, and the palette. Pages add theirs with `data-row` and `data-key`. */
export function Keys() {
  const strings = useStrings();
  const [open, setOpen] = useState<"help" | "palette" | null>(null);
  const chordStartedAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.isComposing) return;
      const key = toLatinKey(event);
      if ((event.metaKey || event.ctrlKey) && key.toLowerCase() === "k") {
        event.preventDefault();
        setOpen("palette");
        return;
      }
      if (key === "Escape") leaveField(event);
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (!hasSingleKeys() || document.querySelector("dialog[open]") !== null) return;
      const isChord = Date.now() - chordStartedAt.current < CHORD_MS;
      chordStartedAt.current = 0;
      const page = isChord ? MENU.find(({ letter }) => letter === key) : undefined;
      if (page !== undefined) go(page.href);
      else if (key === "g") chordStartedAt.current = Date.now();
      else if (key === "?") setOpen("help");
      else if (!pressGlobalKey(event, key) && !pressAnswer(event, key) && !pressSessionKey(key)) {
        pressPageKey(event, key);
      }
    };
    /** Keys for the focused row, or for a session whose page has no button for them. */
    const pressSessionKey = (key: string): boolean => {
      const action = SESSION_ACTIONS.find((candidate) => candidate.key === key);
      const isOnPage = document.querySelector(`main [data-key='${CSS.escape(key)}']`) !== null;
      const id = focusedSessionId() ?? (isOnPage ? null : pageSessionId());
      const session = action === undefined || id === null ? null : findSession(id);
      if (action === undefined || session === null || !action.can(session)) return false;
      action.act(session, strings);
      return true;
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [strings]);
  if (open === "help") return <KeyHelp onClose={() => setOpen(null)} />;
  if (open === "palette") return <Palette onClose={() => setOpen(null)} onHelp={() => setOpen("help")} />;
  return null;
}

function pressGlobalKey(event: KeyboardEvent, key: string): boolean {
  switch (key) {
    case "j":
      moveRowFocus(1);
      return true;
    case "k":
      moveRowFocus(-1);
      return true;
    case "n":
      goToNextRequest();
      return true;
    case "[":
    case "]": {
      const next = adjacentSessionId(key === "]" ? 1 : -1);
      if (next !== null) go(`/s/${encodeURIComponent(next)}${location.search}`);
      return true;
    }
    case "/": {
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>("main [data-key='/']");
      if (field === null) go("/search");
      else field.focus();
      return true;
    }
    case "Enter": {
      const { href } = event.target instanceof HTMLElement ? event.target.dataset : {};
      if (href !== undefined) go(href);
      return href !== undefined;
    }
    default:
      return false;
  }
}
