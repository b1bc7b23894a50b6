import { isSampleSession } from "../../event/sample.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import type { IconName } from "../components/icon.tsx";
import { loadSample, removeSample } from "../components/sample.ts";
import { byLongestWait, sessionStatusOf, titleOf } from "../components/session-status.ts";
import type { Strings } from "../i18n/en.ts";
import { baseName } from "../i18n/format.ts";
import { fill, language, setLanguage } from "../i18n/strings.ts";
import { MENU } from "./menu.ts";
import { notificationState, setNotifications } from "./notifications.ts";
import { go } from "./router.ts";
import { SESSION_ACTIONS } from "./session-actions.ts";
import { hasSingleKeys, setSingleKeys } from "./single-keys.ts";
import { setTheme, theme } from "./theme.ts";
import { showToast } from "./toast.tsx";

export interface PaletteEntry {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail: string;
  readonly hint?: string;
  act(): void;
}

/** Everything that can be opened or done from anywhere; actions for the current session come first. */
export function paletteEntries(
  words: Strings,
  here: SessionSnapshot | null,
  onHelp: () => void,
): PaletteEntry[] {
  return [...aboutSession(words, here), ...pages(words), ...sessions(words), ...acts(words, onHelp)];
}

function aboutSession(words: Strings, here: SessionSnapshot | null): PaletteEntry[] {
  if (here === null) return [];
  return SESSION_ACTIONS.filter(({ can }) => can(here)).map(({ key, name, act }) => ({
    key: `about-${key}`,
    icon: "right",
    label: name(words),
    detail: titleOf(here),
    hint: key,
    act: () => act(here, words),
  }));
}

function pages(words: Strings): PaletteEntry[] {
  return MENU.map(({ key, href, letter, icon }) => ({
    key,
    icon,
    label: words.pages[key],
    detail: "",
    hint: `g ${letter}`,
    act: () => go(href),
  }));
}

function sessions(words: Strings): PaletteEntry[] {
  const all = [...live.get().sessions.values()];
  const waiting = all.filter(({ needsPerson }) => needsPerson).sort(byLongestWait);
  const others = all
    .filter(({ needsPerson }) => !needsPerson)
    .sort((a, b) => (a.lastEventAtIso < b.lastEventAtIso ? 1 : -1));
  return [...waiting, ...others].map((session) => {
    const { key, shape } = sessionStatusOf(session);
    return {
      key: session.sessionId,
      icon: shape,
      label: titleOf(session),
      detail: [
        visibleText(baseName(session.projectPath)),
        words.state[key],
        ...(session.requests.length > 1 ? [fill(words.now.requests, { n: session.requests.length })] : []),
      ].join(" · "),
      act: () => go(`/s/${encodeURIComponent(session.sessionId)}`),
    };
  });
}

function acts(words: Strings, onHelp: () => void): PaletteEntry[] {
  const { palette, settings } = words;
  const make = (key: string, icon: IconName, label: string, act: () => void): PaletteEntry => ({
    key: `act-${key}`,
    icon,
    label,
    detail: "",
    act,
  });
  const hasSample = [...live.get().sessions.keys()].some(isSampleSession);
  const isOn = hasSingleKeys();
  const told = (work: Promise<unknown>): void => void work.catch((error: Error) => showToast(error.message));
  const others = (["system", "light", "dark"] as const).filter((one) => one !== theme.get());
  return [
    make("keys", "question", words.keys.title, onHelp),
    ...others.map((one) =>
      make(`theme-${one}`, "half", `${settings.theme}: ${settings.themes[one]}`, () => setTheme(one)),
    ),
    language.get() === "ko"
      ? make("language", "settings", "Language: English", () => setLanguage("en"))
      : make("language", "settings", "언어: 한국어 (Korean)", () => setLanguage("ko")),
    make("single", "settings", isOn ? palette.keysOff : palette.keysOn, () => setSingleKeys(!isOn)),
    ...(notificationState.get() === "on" || notificationState.get() === "off"
      ? [
          make(
            "notify",
            "bell",
            notificationState.get() === "on" ? palette.notifyOff : palette.notifyOn,
            () => told(setNotifications(notificationState.get() !== "on")),
          ),
        ]
      : []),
    hasSample
      ? make("sample", "cross", words.firstRun.removeSample, () => told(removeSample()))
      : make("sample", "plus", words.firstRun.sample, () => told(loadSample())),
  ];
}
