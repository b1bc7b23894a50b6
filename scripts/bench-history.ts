// Memory accuracy on sixty questions about a scripted history of seven projects: `npm run bench:history`, `--
// --json`. Uses the product's own pipeline: events, items, index, search. See test/remember/history.

import { parseArgs } from "node:util";
import type { Evaluation } from "../test/remember/history/evaluate.ts";
import { rememberHistory } from "../test/remember/history/run-history.ts";

const WAYS = { fts: "full_text", vector: "vector", fused: "both" } as const;

/** In percentage points. */
const BUDGETS: readonly { readonly what: string; readonly least: number; of(figures: Figures): number }[] = [
  { what: "fused R@10", least: 90, of: ({ fused }) => fused.overall.r10 },
  { what: "Korean questions by full text, R@10", least: 85, of: ({ fts }) => fts.byLang["ko"]!.r10 },
  {
    what: "questions for Korean words by full text, R@10",
    least: 85,
    of: ({ fts }) => fts.byKind["korean"]!.r10,
  },
  { what: "exact names by full text, R@10", least: 85, of: ({ fts }) => fts.byKind["exact_name"]!.r10 },
];

type Figures = Readonly<Record<keyof typeof WAYS, Evaluation>>;

const { values } = parseArgs({ options: { json: { type: "boolean" }, embedder: { type: "string" } } });
process.stderr.write("embedding the history takes a minute or two\n");
const history = await rememberHistory(values.embedder ?? "local");
const { embedder, note } = await history.index.status();
const figures = {
  fts: await history.ask(WAYS.fts),
  vector: await history.ask(WAYS.vector),
  fused: await history.ask(WAYS.fused),
};
await history.close();
const failed = BUDGETS.filter(({ least, of }) => of(figures) * 100 < least);
process.stdout.write(values.json === true ? `${JSON.stringify(figures)}\n` : toText());
process.exitCode = failed.length === 0 ? 0 : 1;

function toText(): string {
  const groups = ["all", ...Object.keys(figures.fts.byKind), ...Object.keys(figures.fts.byLang)];
  const rows = Object.entries(figures).map(([way, { overall, byKind, byLang }]) => {
    const cells = [overall, ...Object.values(byKind), ...Object.values(byLang)];
    return `| ${way} | ${cells.map(({ r10, ndcg10 }) => `${points(r10)} (${points(ndcg10)})`).join(" | ")} |`;
  });
  const verdicts = BUDGETS.map(
    ({ what, least, of }) =>
      `${of(figures) * 100 < least ? "FAILS" : "holds"}: ${what} ${points(of(figures))}, at least ${least}`,
  );
  return [
    `${history.items} items, vectors by ${embedder ?? `nobody (${note})`}; R@10 (nDCG@10) of 60 questions`,
    "",
    `| | ${groups.join(" | ")} |`,
    `|---|${"---|".repeat(groups.length)}`,
    ...rows,
    "",
    ...verdicts,
    `missed by fused: ${figures.fused.missed.join(", ") || "none"}`,
    "",
  ].join("\n");
}

function points(share: number): string {
  return (share * 100).toFixed(1);
}
