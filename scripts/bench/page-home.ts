// A daemon with such a history, and a browser that is logged in to it.

import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type BenchHome, createBenchHome, type RunningDaemon, runCli, spawnDaemon } from "./bench-home.ts";
import { type PageHistory, writePageHistory } from "./page-history.ts";
import { addProbe } from "./page-probe.ts";
import { untilAnswers } from "./until-answers.ts";

export interface PageHome {
  readonly history: PageHistory;
  readonly daemon: RunningDaemon;
  readonly base: string;
  /** Polls health until stopped; returns the longest wait. */
  watchStalls(): () => Promise<number>;
  /** Opens a logged-in browser with an empty cache. */
  openPage(): Promise<{ readonly page: Page; readonly close: () => Promise<void> }>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 600_000;
const VIEWPORT = { width: 1_440, height: 900 };

export async function openPageHome(
  browser: Browser,
  wanted: Parameters<typeof writePageHistory>[1],
): Promise<PageHome> {
  const place = createBenchHome();
  // Embedding this much would run for half an hour alongside the measurement.
  writeFileSync(place.home.configFile, JSON.stringify({ memory: { embedder: null } }));
  const history = await writePageHistory(join(place.home.stream, "lifecycle.jsonl"), wanted);
  const making = spawnDaemon(place);
  await untilBuilt(place, history);
  await making.stop();
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  const state = await logIn(browser, runCli(place, "open", "--print").trim());
  return {
    history,
    daemon,
    base: state.base,
    watchStalls: () => watchStalls(place),
    async openPage() {
      const context = await newContext(browser, state.cookies);
      return { page: await context.newPage(), close: () => context.close() };
    },
    async close() {
      await daemon.stop();
      place.remove();
    },
  };
}

/** Waits for the database from the log, the rows of all sessions, and their items. */
async function untilBuilt(place: BenchHome, { sessions }: PageHistory): Promise<void> {
  await untilAnswers(place, "/api/sessions");
  const db = place.openDatabase();
  const rows = db.prepare("SELECT count(*) AS n FROM session_snapshots");
  const left = db.prepare("SELECT count(*) AS n FROM memory_outbox");
  for (const until = performance.now() + TIMEOUT_MS; ; await sleep(500)) {
    const [made, due] = [rows, left].map((statement) => (statement.get() as { n: number }).n);
    if (made! >= sessions && due === 0) break;
    if (performance.now() > until)
      throw new Error(`${made} of ${sessions} sessions are listed, ${due} are to be remembered`);
  }
  db.close();
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

async function newContext(browser: Browser, cookies: Cookies): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await addProbe(context);
  await context.addCookies(cookies);
  return context;
}

async function logIn(browser: Browser, address: string): Promise<{ base: string; cookies: Cookies }> {
  const context = await newContext(browser, []);
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector(".status-bar");
  const cookies = await context.cookies();
  await context.close();
  return { base: new URL(address).origin, cookies };
}

function watchStalls(place: BenchHome): () => Promise<number> {
  let [isOver, longest] = [false, 0];
  const watching = (async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await health(place.home.sock);
      longest = Math.max(longest, performance.now() - askedAt);
      await sleep(5);
    }
    return longest;
  })();
  return () => {
    isOver = true;
    return watching;
  };
}

function health(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: "/api/health" }, (response) => response.resume().on("end", () => resolve()))
      .on("error", reject)
      .end();
  });
}
