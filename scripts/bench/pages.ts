// The dashboard with ten thousand sessions and one of twenty thousand events, in a real browser: time to
// paint, scrolling, page weight, and whether the daemon still answers other clients.

import { openBrowser } from "../../test/support/browser.ts";
import { openPageHome, type PageHome } from "./page-home.ts";
import type { Frames, PageWeight } from "./page-probe.ts";
import { type OpenedView, type VisitFigures, visitAllPages } from "./page-visits.ts";
import { ms, type Row, rounded } from "./report.ts";
import { median } from "./statistics.ts";

export interface PagesOptions {
  readonly sessions: number;
  readonly longEvents: number;
  readonly rounds: number;
}

const FEW = { sessions: 40, live: 10, longEvents: 200 };
const LIVE = 30;
const OPEN_MS = 1_000;
const FIRST_BYTES = 150 * 1_024;
/** Share of frames that may take longer than 50 ms. */
const JANK_PERCENT = 5;

export async function benchPages({ sessions, longEvents, rounds }: PagesOptions): Promise<Row[]> {
  const browser = await openBrowser();
  try {
    const few = await openPageHome(browser, FEW);
    const many = await openPageHome(browser, { sessions, live: LIVE, longEvents });
    const [less, more]: [VisitFigures[], VisitFigures[]] = [[], []];
    for (let round = -1; round < rounds; round++) {
      const [visit, comparison] = [await visitAllPages(few), await visitAllPages(many)];
      if (round < 0) continue;
      less.push(visit);
      more.push(comparison);
    }
    const rows = toRows(less, more, many);
    await few.close();
    await many.close();
    return rows;
  } finally {
    await browser.close();
  }
}

function toRows(
  less: readonly VisitFigures[],
  more: readonly VisitFigures[],
  { history, daemon }: PageHome,
): Row[] {
  const n = (value: number): string => value.toLocaleString("en");
  const middle = (visits: readonly VisitFigures[], read: (visit: VisitFigures) => number): number =>
    median(visits.map(read));
  const opens = (what: string, key: OpenedView, maxMs: number | null): Row => {
    const [durationMs, beside] = [
      middle(more, ({ opened }) => opened[key]),
      middle(less, ({ opened }) => opened[key]),
    ];
    const stall = Math.max(...more.map(({ stalls }) => stalls[key.replace("Whole", "")] ?? 0));
    return {
      row: "pages",
      what,
      measured: `${ms(durationMs)} (most ${ms(Math.max(...more.map(({ opened }) => opened[key])))}; others waited ${ms(stall)} at most)`,
      comparedWith: `${FEW.sessions} sessions, ${FEW.longEvents} events: ${ms(beside)}: × ${(durationMs / beside).toFixed(1)}; ${more.length} visits`,
      budget: maxMs === null ? "none" : `≤ ${n(maxMs)} ms`,
      ok: maxMs === null ? null : durationMs <= maxMs,
      figures: rounded({ tookMs: durationMs, besideMs: beside, stallMs: stall, visits: more.length }),
    };
  };
  const acts = (what: string, read: (visit: VisitFigures) => number, maxMs: number): Row => {
    const [durationMs, beside] = [middle(more, read), middle(less, read)];
    return {
      row: "pages",
      what,
      measured: ms(durationMs),
      comparedWith: `${FEW.sessions} sessions, ${FEW.longEvents} events: ${ms(beside)}`,
      budget: `≤ ${maxMs} ms`,
      ok: durationMs <= maxMs,
      figures: rounded({ tookMs: durationMs, besideMs: beside }),
    };
  };
  const scrolls = (what: string, key: keyof VisitFigures["frames"]): Row => {
    const [own, comparison] = [more, less].map((visits) =>
      sumFrames(visits.map(({ frames }) => frames[key])),
    );
    const share = (100 * own!.over50) / own!.count;
    return {
      row: "pages",
      what: `scrolling ${what}`,
      measured: `${share.toFixed(1)} % of ${own!.count} frames over 50 ms, longest ${ms(own!.longestMs)}; ${own!.empty} empty; at most ${own!.mostRows} rows, ${n(own!.mostElements)} elements`,
      comparedWith: `the short one: ${((100 * comparison!.over50) / comparison!.count).toFixed(1)} % of ${comparison!.count}, longest ${ms(comparison!.longestMs)}`,
      budget: `≤ ${JANK_PERCENT} % over 50 ms, ≤ 200 rows`,
      ok: share <= JANK_PERCENT && own!.mostRows <= 200,
      figures: rounded({ ...own, besideCount: comparison!.count, besideOver50: comparison!.over50 }),
    };
  };
  return [
    weightRow(more[0]!.weights),
    opens("Now → who waits and who runs are drawn", "now", OPEN_MS),
    opens(`Sessions, ${n(history.sessions)} → first rows`, "sessions", OPEN_MS),
    opens("Sessions → all of them there", "sessionsWhole", null),
    acts("Sessions, a letter in the filter → drawn", ({ letterMs }) => letterMs, 200),
    scrolls("Sessions", "sessions"),
    opens(`session of ${n(history.longEvents)} events, transcript → drawn`, "transcript", OPEN_MS),
    opens("the same → all of it there", "transcriptWhole", null),
    scrolls("the transcript", "transcript"),
    opens("the same, timeline → drawn", "timeline", OPEN_MS),
    opens("the same → all of it there", "timelineWhole", null),
    acts("the same, a step of the replay → drawn", ({ scrubMs }) => scrubMs, 200),
    opens("the same, raw events → drawn", "raw", OPEN_MS),
    opens("the same → all of them there", "rawWhole", null),
    scrolls("raw events", "raw"),
    opens("Usage, 90 days", "usage", OPEN_MS),
    opens("Search, with a question", "search", OPEN_MS),
    {
      row: "pages",
      what: "RSS of the daemon after all of it",
      measured: `${daemon.rssMb().now.toFixed(0)} MB, peak ${daemon.rssMb().peak.toFixed(0)} MB`,
      comparedWith: `${n(history.events)} events`,
      budget: "none",
      ok: null,
      figures: rounded({ rssMb: daemon.rssMb().now, peakMb: daemon.rssMb().peak }),
    },
  ];
}

function weightRow(weights: Readonly<Record<string, PageWeight>>): Row {
  const kb = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KB`;
  const { now, ...others } = weights;
  const more = Object.entries(others).map(
    ([name, { wireBytes }]) => `${name} +${kb(wireBytes - now!.wireBytes)}`,
  );
  return {
    row: "pages",
    what: "the first page, as it is served",
    measured: `${kb(now!.wireBytes)} (${kb(now!.bytes)} unpacked)`,
    comparedWith: more.join(", "),
    budget: "≤ 150 KB",
    ok: now!.wireBytes <= FIRST_BYTES,
    figures: rounded(
      Object.fromEntries(Object.entries(weights).map(([name, { wireBytes }]) => [`${name}Bytes`, wireBytes])),
    ),
  };
}

function sumFrames(all: readonly Frames[]): Frames {
  const sum = (key: "count" | "over50" | "empty"): number =>
    all.reduce((total, visit) => total + visit[key], 0);
  const most = (key: "longestMs" | "mostRows" | "mostElements"): number =>
    Math.max(...all.map((visit) => visit[key]));
  return {
    count: sum("count"),
    over50: sum("over50"),
    empty: sum("empty"),
    longestMs: most("longestMs"),
    mostRows: most("mostRows"),
    mostElements: most("mostElements"),
  };
}
