// Every page once, as a user would: opened, waited for, scrolled, typed into.

import type { Page } from "playwright-core";
import type { PageHome } from "./page-home.ts";
import {
  type Frames,
  type PageWeight,
  pageWeight,
  scrollAndCountFrames,
  timeUntilDrawn,
  untilDrawn,
} from "./page-probe.ts";

export type OpenedView =
  | "now"
  | "sessions"
  | "sessionsWhole"
  | "transcript"
  | "transcriptWhole"
  | "timeline"
  | "timelineWhole"
  | "raw"
  | "rawWhole"
  | "usage"
  | "search";

export interface VisitFigures {
  readonly opened: Readonly<Record<OpenedView, number>>;
  /** Latency of the slowest keystroke. */
  readonly letterMs: number;
  readonly scrubMs: number;
  readonly frames: Readonly<Record<"sessions" | "transcript" | "raw", Frames>>;
  readonly weights: Readonly<Record<string, PageWeight>>;
  readonly stalls: Readonly<Record<string, number>>;
}

/** Typed letter by letter. */
const TYPED = "retry loop";
const WHEEL_TURNS = 120;
const ROW = "tr[data-row]";
const ITEM = ".virtual-row";
const count = (selector: string): string => `document.querySelectorAll(${JSON.stringify(selector)}).length`;
const text = (selector: string): string =>
  `(document.querySelector(${JSON.stringify(selector)})?.textContent ?? "")`;

/** Strips the separators that only make numbers easier to read. */
const bare = (selector: string): string => `${text(selector)}.replace(/[\\s,.]/g, "")`;

export async function visitAllPages(home: PageHome): Promise<VisitFigures> {
  const { history } = home;
  const opened = {} as Record<OpenedView, number>;
  const frames = {} as Record<"sessions" | "transcript" | "raw", Frames>;
  const weights: Record<string, PageWeight> = {};
  const stalls: Record<string, number> = {};
  let [letterMs, scrubMs] = [0, 0];
  /** Visits one page in a fresh browser with an empty cache. */
  const visit = async (name: string, path: string, look: (page: Page) => Promise<void>): Promise<void> => {
    const { page, close } = await home.openPage();
    const stalled = home.watchStalls();
    await page.goto(home.base + path, { waitUntil: "commit" });
    await look(page);
    stalls[name] = await stalled();
    weights[name] = await pageWeight(page);
    await close();
  };
  const { sessions, longEvents } = history;

  await visit("now", "/", async (page) => {
    opened.now = await untilDrawn(
      page,
      `${count(".request-card")} === ${history.waiting} && ${count(".session-row")} > 0`,
    );
  });
  await visit("sessions", "/sessions", async (page) => {
    opened.sessions = await untilDrawn(page, `${count(ROW)} > 20`);
    const status = bare(".page-head [role=status]");
    opened.sessionsWhole = await untilDrawn(page, `${status}.endsWith("of${sessions}")`);
    await page.focus("input[type=search]");
    for (const letter of TYPED) {
      const typed = `document.querySelector("input[type=search]").value`;
      const before = await page.evaluate<string>(typed);
      const isShown = `location.search.includes(encodeURIComponent(${JSON.stringify(before + letter)}).replaceAll("%20", "+"))`;
      letterMs = Math.max(
        letterMs,
        await timeUntilDrawn(page, "input", isShown, () => page.keyboard.press(letter)),
      );
    }
    await page.fill("input[type=search]", "");
    await untilDrawn(page, `${status} === "${sessions}of${sessions}"`);
    frames.sessions = await scrollAndCountFrames(page, ROW, WHEEL_TURNS);
  });
  const long = `/s/${history.longId}`;
  await visit("transcript", `${long}?tab=transcript`, async (page) => {
    opened.transcript = await untilDrawn(page, `${count(`${ITEM} .message`)} > 0`);
    opened.transcriptWhole = await untilDrawn(page, `!${text(".transcript")}.endsWith("Loading…")`);
    frames.transcript = await scrollAndCountFrames(page, ITEM, WHEEL_TURNS);
  });
  await visit("timeline", `${long}?tab=timeline`, async (page) => {
    opened.timeline = await untilDrawn(page, `document.querySelector(".picture canvas")?.height > 100`);
    opened.timelineWhole = await untilDrawn(page, `${count(".timeline[aria-busy=false]")} === 1`);
    const range = ".replay input[type=range]";
    await page.focus(range);
    for (let press = 0; press < 10; press++)
      scrubMs = Math.max(
        scrubMs,
        await timeUntilDrawn(page, "input", `${count(".moment .entry")} > 0`, () =>
          page.keyboard.press("PageDown"),
        ),
      );
  });
  await visit("raw", `${long}?tab=raw`, async (page) => {
    opened.raw = await untilDrawn(page, `${count(ITEM)} > 10`);
    opened.rawWhole = await untilDrawn(
      page,
      `${bare(".raw-bar [aria-live]")} === "${longEvents}of${longEvents}events"`,
    );
    frames.raw = await scrollAndCountFrames(page, ITEM, WHEEL_TURNS);
  });
  await visit("usage", "/usage?days=90&by=model", async (page) => {
    opened.usage = await untilDrawn(
      page,
      `${count(".day-chart canvas")} > 0 && ${count(".usage-table")} > 1`,
    );
  });
  await visit("search", "/search?q=wide", async (page) => {
    opened.search = await untilDrawn(page, `${count("button.hit")} > 0`);
  });
  return { opened, letterMs, scrubMs, frames, weights, stalls };
}
