// Injected into a page before its own scripts run: samples once per frame, by the page's own clock.

import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";

export interface Frames {
  readonly count: number;
  readonly over50: number;
  readonly longestMs: number;
  /** Frames in which the middle of the window showed space that no row had filled yet. */
  readonly empty: number;
  readonly mostRows: number;
  readonly mostElements: number;
}

export interface PageWeight {
  /** Transferred, and decoded. */
  readonly wireBytes: number;
  readonly bytes: number;
}

const TIMEOUT_MS = 60_000;

const PROBE = `(() => {
  const drawn = (found) => new Promise((resolve) => {
    // Found in a frame; the one after it is on the screen.
    const look = () => requestAnimationFrame(() => (found() ? requestAnimationFrame(() => resolve(performance.now())) : look()));
    look();
  });
  let frames = null;
  const step = (selector, now) => {
    if (frames === null) return;
    frames.times.push(now);
    const rows = document.querySelectorAll(selector);
    frames.mostRows = Math.max(frames.mostRows, rows.length);
    frames.mostElements = Math.max(frames.mostElements, document.getElementsByTagName("*").length);
    const at = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    if (at !== null && at.closest(selector) === null && at.closest("main") !== null) frames.empty++;
    requestAnimationFrame((next) => step(selector, next));
  };
  window.bench = {
    drawn,
    /** From the next event of that kind until what it changes is drawn. */
    expect(kind, found) {
      bench.told = new Promise((resolve) => {
        document.addEventListener(kind, (event) => {
          const at = event.timeStamp;
          drawn(found).then((ms) => resolve(ms - at));
        }, { capture: true, once: true });
      });
    },
    watchFrames(selector) {
      frames = { times: [], empty: 0, mostRows: 0, mostElements: 0 };
      requestAnimationFrame((now) => step(selector, now));
    },
    framesSeen() {
      const { times, ...seen } = frames;
      frames = null;
      const took = times.slice(1).map((time, index) => time - times[index]);
      return { ...seen, count: took.length, over50: took.filter((ms) => ms > 50).length, longestMs: Math.max(0, ...took) };
    },
    weight() {
      const parts = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .filter(({ name }) => !new URL(name).pathname.startsWith("/api/"));
      const sum = (key) => parts.reduce((all, part) => all + part[key], 0);
      return { wireBytes: sum("encodedBodySize"), bytes: sum("decodedBodySize") };
    },
  };
})()`;

export async function addProbe(context: BrowserContext): Promise<void> {
  await context.addInitScript(PROBE);
}

/** Time from navigation start, or the page's time origin, until an expression holds and is painted. */
export function untilDrawn(page: Page, expression: string): Promise<number> {
  return withTimeout(page, expression, page.evaluate<number>(`bench.drawn(() => ${expression})`));
}

/** Times one user action until its result is painted. */
export async function timeUntilDrawn(
  page: Page,
  kind: "input" | "click",
  expression: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`bench.expect(${JSON.stringify(kind)}, () => ${expression})`);
  await act();
  return withTimeout(page, expression, page.evaluate<number>("bench.told"));
}

async function withTimeout(page: Page, expression: string, reported: Promise<number>): Promise<number> {
  const ms = await Promise.race([reported.catch(() => null), sleep(TIMEOUT_MS, null, { ref: false })]);
  if (ms === null)
    throw new Error(`${page.url()} does not show after ${TIMEOUT_MS / 1_000} s: ${expression}`);
  return ms;
}

/** Scrolls the wheel over the middle of the window, as fast as a hand does, while counting frames. */
export async function scrollAndCountFrames(page: Page, selector: string, turns: number): Promise<Frames> {
  const { width, height } = page.viewportSize()!;
  await page.mouse.move(width / 2, height / 2);
  await page.evaluate(`bench.watchFrames(${JSON.stringify(selector)})`);
  for (let turn = 0; turn < turns; turn++) await page.mouse.wheel(0, turn < turns * 0.75 ? 480 : -480);
  return page.evaluate<Frames>("bench.framesSeen()");
}

export function pageWeight(page: Page): Promise<PageWeight> {
  return page.evaluate<PageWeight>("bench.weight()");
}
