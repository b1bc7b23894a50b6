import { basename, relative } from "node:path";
import type { AwayReport, SessionSnapshot } from "../serve/contract.ts";
import { age, clock, shortDuration } from "../shown/duration.ts";
import { oneLine } from "../shown/plain-text.ts";
import { plural, spentText } from "./amounts.ts";
import { noPaint } from "./paint.ts";
import { shortId } from "./session-doing.ts";
import { inOrder } from "./session-face.ts";
import { type LineOptions, sessionLine, sessionLines } from "./session-line.ts";
import { needText } from "./status-line.ts";
import { tableLines } from "./table.ts";

const MOST_ROWS = 20;
const MOST_FILES = 3;

/** What happened since a person last looked, the most urgent first. */
export function awayText(report: AwayReport, options: LineOptions): string {
  const { now, width, paint = noPaint } = options;
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [paint("bold", title), ...lines, ""];
  const listed = (sessions: readonly SessionSnapshot[]): string[] => [
    ...inOrder(sessions)
      .slice(0, MOST_ROWS)
      .map((session) => sessionLine(session, options)),
    ...more(sessions.length),
  ];
  const failures = report.failures
    .slice(-MOST_ROWS)
    .map(({ sessionId, atIso, what, message }) => [
      clock(atIso, now),
      shortId(sessionId),
      oneLine(what),
      oneLine(message ?? ""),
    ]);
  return [
    `Since ${clock(report.sinceIso, now)}, ${age(report.sinceIso, now)} ago`,
    "",
    ...section(
      needText(report.needsPerson),
      inOrder(report.needsPerson).flatMap((session) => sessionLines(session, options)),
    ),
    ...section(`${report.finished.length} finished`, listed(report.finished)),
    ...section(`${report.lost.length} lost`, listed(report.lost)),
    ...section(plural(report.failures.length, "failure"), [
      ...tableLines([{}, {}, {}, { isWide: true }], failures, width),
      ...more(report.failures.length),
    ]),
    ...section("Files changed", fileLines(report.filesChanged, width)),
    closing(report),
  ].join("\n");
}

function closing({ cost, failedToolCount, humanWaitMs, ...report }: AwayReport): string {
  const isQuiet =
    report.needsPerson.length + report.finished.length + report.lost.length + report.failures.length === 0;
  const spent = spentText(cost);
  const facts = [
    isQuiet ? "Nothing ended, nothing failed and nobody needs you" : null,
    spent === null ? null : `${spent} spent`,
    failedToolCount > 0 ? `${plural(failedToolCount, "tool call")} failed` : null,
    humanWaitMs >= 1_000 ? `agents waited for you ${shortDuration(humanWaitMs)} in all` : null,
  ].filter(Boolean);
  return facts.length === 0 ? "" : `${facts.join("; ")}.`;
}

/** One line a project: how many, and those that changed most. */
function fileLines(files: AwayReport["filesChanged"], width: number): string[] {
  const projects = Map.groupBy(files, ({ projectPath }) => projectPath);
  const rows = [...projects].map(([project, changed]) => {
    const most = changed.toSorted((a, b) => b.count - a.count).slice(0, MOST_FILES);
    const names = most.map(({ path, count }) => {
      const name = project === null ? path : relative(project, path);
      return `${oneLine(name.startsWith("..") ? path : name)}${count > 1 ? ` ×${count}` : ""}`;
    });
    const rest = changed.length > most.length ? ", …" : "";
    return [
      project === null ? "?" : oneLine(basename(project)),
      String(changed.length),
      names.join(", ") + rest,
    ];
  });
  return tableLines([{}, { align: "end" }, { isWide: true }], rows, width);
}

function more(count: number): string[] {
  return count > MOST_ROWS ? [`  … ${count - MOST_ROWS} more`] : [];
}
