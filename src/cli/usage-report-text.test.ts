import { expect, it } from "vitest";
import type { UsageReport } from "../serve/contract.ts";
import { projectUsage, projectUsageText, usageReportText } from "./usage-report-text.ts";

const tokens = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0 });
const shop = "/srv/acme-shop";

const report = {
  since: "2026-11-14T00:00:00.000Z",
  cost: { micros: 3_000_000, source: "estimate", unpricedModels: [] },
  pricesOf: "2026-11-01",
  sessions: 2,
  days: [
    {
      day: "2026-11-14",
      costMicros: 1_000_000,
      tokens: tokens(1_000),
      sessions: 1,
      turns: 2,
      waitMs: 0,
      parts: [{ key: shop, costMicros: 1_000_000, tokens: tokens(1_000) }],
    },
    {
      day: "2026-11-15",
      costMicros: 2_000_000,
      tokens: tokens(2_000),
      sessions: 2,
      turns: 3,
      waitMs: 0,
      parts: [
        { key: "/srv/blog", costMicros: 1_500_000, tokens: tokens(1_500) },
        { key: shop, costMicros: 500_000, tokens: tokens(500) },
      ],
    },
  ],
  projects: [
    { project: shop, costMicros: 1_500_000, tokens: tokens(1_500), sessions: 1, turns: 3, waitMs: 0 },
    { project: "/srv/blog", costMicros: 1_500_000, tokens: tokens(1_500), sessions: 1, turns: 2, waitMs: 0 },
  ],
  models: [
    {
      model: "claude-opus-4-5",
      sessions: 2,
      source: "estimate",
      costMicros: 3_000_000,
      tokens: tokens(3_000),
    },
  ],
  tools: [],
} satisfies UsageReport;

const options = { width: 80, days: 30 };

it("shows the total, then days newest first, models and projects", () => {
  expect(usageReportText(report, options).split("\n")).toEqual([
    "Last 30 days: ~$3.00 · 3k tokens · 2 sessions",
    "",
    "By day",
    "  2026-11-15  2 sessions  3 turns  2k tokens  ~$2.00",
    "  2026-11-14   1 session  2 turns  1k tokens  ~$1.00",
    "",
    "By model",
    expect.stringMatching(/^ {2}opus-4\.5 +2 sessions {2}3k tokens {2}~\$3\.00$/),
    "",
    "By project",
    "  /srv/acme-shop  1 session  2k tokens  ~$1.50",
    "  /srv/blog       1 session  2k tokens  ~$1.50",
    "",
    "Cost estimated with prices of 2026-11-01.",
  ]);
});

it("shows one project by day, found by its path or the end of it", () => {
  for (const project of [shop, "acme-shop"])
    expect(projectUsageText(projectUsage(report, project), options).split("\n")).toEqual([
      shop,
      "Last 30 days: ~$1.50 · 2k tokens · 1 session",
      "  2026-11-15  500 tokens  ~$0.50",
      "  2026-11-14   1k tokens  ~$1.00",
    ]);
  expect(projectUsage(report, "shop").projects).toEqual([]);
});

it("reports that there was no usage", () => {
  expect(usageReportText({ ...report, days: [] }, { ...options, days: 1 })).toBe(
    "No usage in the last 1 day.",
  );
});
