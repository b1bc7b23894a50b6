import type { Strings } from "../i18n/en.ts";
import { MENU } from "./menu.ts";
import { focusedCard } from "./press-key.ts";
import { SESSION_ACTIONS } from "./session-actions.ts";
import { adjacentSessionId, findSession, focusedSessionId, pageSessionId } from "./shown-sessions.ts";

export interface KeyRow {
  readonly keys: readonly string[];
  readonly what: string;
}

export interface KeyGroup {
  readonly name: string;
  readonly rows: readonly KeyRow[];
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys that do something here and now: those not on the page are not listed. */
export function listAvailableKeys(words: Strings): KeyGroup[] {
  const { keys } = words;
  const has = (selector: string): boolean => document.querySelector(`main ${selector}`) !== null;
  const card = focusedCard();
  const hasRows = has("[data-row]");
  const own = pageKeys("main [data-key]", "key");
  const known = new Set(own.map(([key]) => key));
  const id = focusedSessionId() ?? pageSessionId();
  const session = id === null ? null : findSession(id);
  const acts =
    session === null
      ? []
      : SESSION_ACTIONS.filter(
          ({ key, can }) => (focusedSessionId() !== null || !known.has(key)) && can(session),
        );
  const actKeys = new Set<string>(acts.map(({ key }) => key));
  const groups: KeyGroup[] = [
    {
      name: keys.everywhere,
      rows: [
        { keys: ["?"], what: keys.help },
        { keys: [isMac ? "⌘" : "Ctrl", "K"], what: keys.palette },
        { keys: ["/"], what: has("[data-key='/']") ? keys.filter : words.pages.search },
        ...(hasRows
          ? [
              { keys: ["j", "k"], what: keys.move },
              { keys: ["Enter"], what: keys.open },
            ]
          : []),
        { keys: ["n"], what: keys.next },
        ...(adjacentSessionId(1) === null ? [] : [{ keys: ["[", "]"], what: keys.adjacentSession }]),
      ],
    },
    {
      name: keys.selectedRequest,
      rows: card === null ? [] : pageKeys("[data-answer]", "answer", card).map(toRow),
    },
    { name: keys.selectedSession, rows: acts.map(({ key, name }) => ({ keys: [key], what: name(words) })) },
    { name: keys.page, rows: own.filter(([key]) => !actKeys.has(key)).map(toRow) },
    {
      name: keys.goTo,
      rows: MENU.map(({ key, letter }) => ({ keys: ["g", letter], what: words.pages[key] })),
    },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function toRow([key, what]: readonly [string, string]): KeyRow {
  return { keys: [key === " " ? "Space" : key], what };
}

/** The keys of available controls, each with the control's own label. */
function pageKeys(selector: string, name: string, from: ParentNode = document): [string, string][] {
  const found = new Map<string, string>();
  for (const element of from.querySelectorAll<HTMLElement>(`${selector}:not(:disabled)`)) {
    const key = element.dataset[name]!;
    if (key !== "/" && !found.has(key))
      found.set(key, element.getAttribute("aria-label") ?? labelOf(element));
  }
  return [...found];
}

/** Its text without the key hint in it. */
function labelOf(element: HTMLElement): string {
  const labelled = element instanceof HTMLInputElement ? (element.closest("label") ?? element) : element;
  const copy = labelled.cloneNode(true) as HTMLElement;
  for (const hint of copy.querySelectorAll("[aria-hidden='true'], kbd")) hint.remove();
  return copy.textContent.trim();
}
