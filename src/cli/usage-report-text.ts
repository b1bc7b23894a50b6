import type { ProjectUsage, UsagePart, UsageReport } from "../serve/contract.ts";
import { costText, estimateText } from "../shown/cost-text.ts";
import { oneLine } from "../shown/plain-text.ts";
import { countText, plural } from "./amounts.ts";
import { noPaint, type Paint } from "./paint.ts";
import { modelText } from "./session-activity.ts";
import { type TableColumn, tableLines } from "./table.ts";

export interface UsageTextOptions {
  readonly width: number;
  readonly days: number;
  readonly paint?: Paint;
}

/** The usage of one project, or of several whose paths end the same way. */
export interface ProjectUsageReport {
  readonly since: string;
  readonly pricesOf: string;
  readonly projects: readonly ProjectUsage[];
  /** Oldest first; `key` is the project. */
  readonly days: readonly (UsagePart & { readonly day: string })[];
}

/** From a report that is split by project. Pure. */
export function projectUsage(report: UsageReport, project: string): ProjectUsageReport {
  const matches = (path: string | null): boolean =>
    path !== null && (path === project || path.endsWith(`/${project.replace(/^\/+/, "")}`));
  return {
    since: report.since,
    pricesOf: report.pricesOf,
    projects: report.projects.filter((usage) => matches(usage.project)),
    days: report.days.flatMap(({ day, parts }) =>
      parts.filter(({ key }) => matches(key)).map((part) => ({ day, ...part })),
    ),
  };
}

const NUMBER_COLUMNS: readonly TableColumn[] = [{ align: "end" }, { align: "end" }];

export function usageReportText(report: UsageReport, options: UsageTextOptions): string {
  const { width, paint = noPaint, days } = options;
  if (report.days.length === 0) return `No usage in the last ${plural(days, "day")}.`;
  const tokens = report.days.reduce((sum, day) => sum + tokenSum(day), 0);
  const rows = (title: string, columns: readonly TableColumn[], cells: readonly (readonly string[])[]) =>
    cells.length === 0 ? [] : ["", paint("bold", title), ...tableLines(columns, cells, width)];
  return [
    summaryLine(days, costText(report.cost), tokens, report.sessions),
    ...(report.cost.unpricedModels.length === 0
      ? []
      : [`No price known: ${report.cost.unpricedModels.map(oneLine).join(", ")}`]),
    ...rows(
      "By day",
      [{}, { align: "end" }, { align: "end" }, ...NUMBER_COLUMNS],
      report.days
        .toReversed()
        .map((day) => [
          day.day,
          plural(day.sessions, "session"),
          plural(day.turns, "turn"),
          ...numberCells(day),
        ]),
    ),
    ...rows(
      "By model",
      [{ isWide: true }, { align: "end" }, ...NUMBER_COLUMNS],
      report.models.map((usage) => [
        modelText(usage.model),
        plural(usage.sessions, "session"),
        ...numberCells(usage),
      ]),
    ),
    ...rows(
      "By project",
      [{ isWide: true }, { align: "end" }, ...NUMBER_COLUMNS],
      report.projects.map((usage) => [
        oneLine(usage.project ?? "(no project)"),
        plural(usage.sessions, "session"),
        ...numberCells(usage),
      ]),
    ),
    "",
    report.cost.source === "reported"
      ? "Cost as reported by the agent."
      : `Cost estimated with prices of ${oneLine(report.pricesOf)}.`,
  ].join("\n");
}

export function projectUsageText(usage: ProjectUsageReport, options: UsageTextOptions): string {
  const { width, paint = noPaint, days } = options;
  if (usage.projects.length === 0) return `No usage in the last ${plural(days, "day")}.`;
  const isSingle = usage.projects.length === 1;
  return usage.projects
    .flatMap((project, index) => [
      ...(index === 0 ? [] : [""]),
      paint("bold", oneLine(project.project ?? "(no project)")),
      summaryLine(days, estimateText(project.costMicros), tokenSum(project), project.sessions),
      ...tableLines(
        [{}, ...NUMBER_COLUMNS],
        usage.days
          .filter(({ key }) => isSingle || key === project.project)
          .toReversed()
          .map((day) => [day.day, ...numberCells(day)]),
        width,
      ),
    ])
    .join("\n");
}

function summaryLine(days: number, cost: string | null, tokens: number, sessions: number): string {
  const facts = [cost ?? "no price known", `${countText(tokens)} tokens`, plural(sessions, "session")];
  return `Last ${plural(days, "day")}: ${facts.join(" · ")}`;
}

function numberCells(usage: Pick<UsagePart, "tokens" | "costMicros">): [tokens: string, cost: string] {
  return [`${countText(tokenSum(usage))} tokens`, estimateText(usage.costMicros) ?? "-"];
}

function tokenSum({ tokens }: Pick<UsagePart, "tokens">): number {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}
