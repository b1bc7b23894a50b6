import type { Strings } from "../i18n/en.ts";
import { MENU } from "./menu.ts";
import { focusedCard } from "./press-key.ts";
import { SESSION_ACTIONS } from "./session-actions.ts";
import { adjacentSessionId, findSession, focusedSessionId, pageSessionId } from "./shown-sessions.ts";

export interface KeyRow {
  readonly keys: readonly string[];
  readonly label: string;
}

export interface KeyGroup {
  readonly name: string;
  readonly rows: readonly KeyRow[];
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The shortcuts available on the current page. */
export function listAvailableKeys(strings: Strings): KeyGroup[] {
  const { keys } = strings;
  const has = (selector: string): boolean => document.querySelector(`main ${selector}`) !== null;
  const card = focusedCard();
  const hasRows = has("[data-row]");
  const pageKeyLabels = pageKeys("main [data-key]", "key");
  const ownKeys = new Set(pageKeyLabels.map(([key]) => key));
  const id = focusedSessionId() ?? pageSessionId();
  const session = id === null ? null : findSession(id);
  const actions =
    session === null
      ? []
      : SESSION_ACTIONS.filter(
          ({ key, can }) => (focusedSessionId() !== null || !ownKeys.has(key)) && can(session),
        );
  const actionKeys = new Set<string>(actions.map(({ key }) => key));
  const groups: KeyGroup[] = [
    {
      name: keys.everywhere,
      rows: [
        { keys: ["?"], label: keys.help },
        { keys: [isMac ? "⌘" : "Ctrl", "K"], label: keys.palette },
        { keys: ["/"], label: has("[data-key='/']") ? keys.filter : strings.pages.search },
        ...(hasRows
          ? [
              { keys: ["j", "k"], label: keys.move },
              { keys: ["Enter"], label: keys.open },
            ]
          : []),
        { keys: ["n"], label: keys.next },
        ...(adjacentSessionId(1) === null ? [] : [{ keys: ["[", "]"], label: keys.adjacentSession }]),
      ],
    },
    {
      name: keys.selectedRequest,
      rows: card === null ? [] : pageKeys("[data-answer]", "answer", card).map(toRow),
    },
    {
      name: keys.selectedSession,
      rows: actions.map(({ key, name }) => ({ keys: [key], label: name(strings) })),
    },
    { name: keys.page, rows: pageKeyLabels.filter(([key]) => !actionKeys.has(key)).map(toRow) },
    {
      name: keys.goTo,
      rows: MENU.map(({ key, letter }) => ({ keys: ["g", letter], label: strings.pages[key] })),
    },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function toRow([key, label]: readonly [string, string]): KeyRow {
  return { keys: [key === " " ? "Space" : key], label };
}

/** The keys of available controls, each with the control's own label. */
function pageKeys(selector: string, name: string, root: ParentNode = document): [string, string][] {
  const found = new Map<string, string>();
  for (const element of root.querySelectorAll<HTMLElement>(`${selector}:not(:disabled)`)) {
    const key = element.dataset[name]!;
    if (key !== "/" && !found.has(key))
      found.set(key, element.getAttribute("aria-label") ?? labelOf(element));
  }
  return [...found];
}

/** The element's text without its key hint. */
function labelOf(element: HTMLElement): string {
  const labelled = element instanceof HTMLInputElement ? (element.closest("label") ?? element) : element;
  const copy = labelled.cloneNode(true) as HTMLElement;
  for (const hint of copy.querySelectorAll("[aria-hidden='true'], kbd")) hint.remove();
  return copy.textContent.trim();
}
