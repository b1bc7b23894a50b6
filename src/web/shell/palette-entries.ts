import { isSampleSession } from "../../event/sample.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import type { IconName } from "../parts/icon.tsx";
import { loadSample, removeSample } from "../parts/sample.ts";
import { byWait, standingOf, titleOf } from "../parts/standing.ts";
import { baseName } from "../words/amounts.ts";
import type { Words } from "../words/en.ts";
import { fill, language, setLanguage } from "../words/words.ts";
import { MENU } from "./menu.ts";
import { notifying, setNotifying } from "./notify.ts";
import { go } from "./router.ts";
import { SESSION_ACTS } from "./session-acts.ts";
import { hasSingleKeys, setSingleKeys } from "./single-keys.ts";
import { setTheme, theme } from "./theme.ts";
import { tell } from "./told.tsx";

export interface PaletteEntry {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail: string;
  readonly hint?: string;
  act(): void;
}

/** Everything that can be gone to or done from anywhere; what is about the session at hand comes first. */
export function paletteEntries(
  words: Words,
  here: SessionSnapshot | null,
  onHelp: () => void,
): PaletteEntry[] {
  return [...aboutSession(words, here), ...pages(words), ...sessions(words), ...acts(words, onHelp)];
}

function aboutSession(words: Words, here: SessionSnapshot | null): PaletteEntry[] {
  if (here === null) return [];
  return SESSION_ACTS.filter(({ can }) => can(here)).map(({ key, name, act }) => ({
    key: `about-${key}`,
    icon: "right",
    label: name(words),
    detail: titleOf(here),
    hint: key,
    act: () => act(here, words),
  }));
}

function pages(words: Words): PaletteEntry[] {
  return MENU.map(({ key, href, letter, icon }) => ({
    key,
    icon,
    label: words.pages[key],
    detail: "",
    hint: `g ${letter}`,
    act: () => go(href),
  }));
}

function sessions(words: Words): PaletteEntry[] {
  const all = [...live.get().sessions.values()];
  const waiting = all.filter(({ needsPerson }) => needsPerson).sort(byWait);
  const others = all
    .filter(({ needsPerson }) => !needsPerson)
    .sort((a, b) => (a.lastEventAtIso < b.lastEventAtIso ? 1 : -1));
  return [...waiting, ...others].map((session) => {
    const { key, shape } = standingOf(session);
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

function acts(words: Words, onHelp: () => void): PaletteEntry[] {
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
  const told = (work: Promise<unknown>): void => void work.catch((error: Error) => tell(error.message));
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
    ...(notifying.get() === "on" || notifying.get() === "off"
      ? [
          make("notify", "bell", notifying.get() === "on" ? palette.notifyOff : palette.notifyOn, () =>
            told(setNotifying(notifying.get() !== "on")),
          ),
        ]
      : []),
    hasSample
      ? make("sample", "cross", words.firstRun.sampleGone, () => told(removeSample()))
      : make("sample", "plus", words.firstRun.sample, () => told(loadSample())),
  ];
}
