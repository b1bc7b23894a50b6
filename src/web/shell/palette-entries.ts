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
  strings: Strings,
  currentSession: SessionSnapshot | null,
  onHelp: () => void,
): PaletteEntry[] {
  return [
    ...sessionActions(strings, currentSession),
    ...pageEntries(strings),
    ...sessionEntries(strings),
    ...actionEntries(strings, onHelp),
  ];
}

function sessionActions(strings: Strings, currentSession: SessionSnapshot | null): PaletteEntry[] {
  if (currentSession === null) return [];
  return SESSION_ACTIONS.filter(({ can }) => can(currentSession)).map(({ key, name, act }) => ({
    key: `about-${key}`,
    icon: "right",
    label: name(strings),
    detail: titleOf(currentSession),
    hint: key,
    act: () => act(currentSession, strings),
  }));
}

function pageEntries(strings: Strings): PaletteEntry[] {
  return MENU.map(({ key, href, letter, icon }) => ({
    key,
    icon,
    label: strings.pages[key],
    detail: "",
    hint: `g ${letter}`,
    act: () => go(href),
  }));
}

function sessionEntries(strings: Strings): PaletteEntry[] {
  const watched = [...live.get().sessions.values()];
  const waiting = watched.filter(({ needsPerson }) => needsPerson).sort(byLongestWait);
  const otherThemes = watched
    .filter(({ needsPerson }) => !needsPerson)
    .sort((a, b) => (a.lastEventAtIso < b.lastEventAtIso ? 1 : -1));
  return [...waiting, ...otherThemes].map((session) => {
    const { key, shape } = sessionStatusOf(session);
    return {
      key: session.sessionId,
      icon: shape,
      label: titleOf(session),
      detail: [
        visibleText(baseName(session.projectPath)),
        strings.state[key],
        ...(session.requests.length > 1 ? [fill(strings.now.requests, { n: session.requests.length })] : []),
      ].join(" · "),
      act: () => go(`/s/${encodeURIComponent(session.sessionId)}`),
    };
  });
}

function actionEntries(strings: Strings, onHelp: () => void): PaletteEntry[] {
  const { palette, settings } = strings;
  const toEntry = (key: string, icon: IconName, label: string, act: () => void): PaletteEntry => ({
    key: `act-${key}`,
    icon,
    label,
    detail: "",
    act,
  });
  const hasSample = [...live.get().sessions.keys()].some(isSampleSession);
  const isOn = hasSingleKeys();
  const showErrors = (promise: Promise<unknown>): void =>
    void promise.catch((error: Error) => showToast(error.message));
  const otherThemes = (["system", "light", "dark"] as const).filter((name) => name !== theme.get());
  return [
    toEntry("keys", "question", strings.keys.title, onHelp),
    ...otherThemes.map((name) =>
      toEntry(`theme-${name}`, "half", `${settings.theme}: ${settings.themes[name]}`, () => setTheme(name)),
    ),
    language.get() === "ko"
      ? toEntry("language", "settings", "Language: English", () => setLanguage("en"))
      : toEntry("language", "settings", "언어: 한국어 (Korean)", () => setLanguage("ko")),
    toEntry("single", "settings", isOn ? palette.keysOff : palette.keysOn, () => setSingleKeys(!isOn)),
    ...(notificationState.get() === "on" || notificationState.get() === "off"
      ? [
          toEntry(
            "notify",
            "bell",
            notificationState.get() === "on" ? palette.notifyOff : palette.notifyOn,
            () => showErrors(setNotifications(notificationState.get() !== "on")),
          ),
        ]
      : []),
    hasSample
      ? toEntry("sample", "cross", strings.firstRun.removeSample, () => showErrors(removeSample()))
      : toEntry("sample", "plus", strings.firstRun.sample, () => showErrors(loadSample())),
  ];
}
