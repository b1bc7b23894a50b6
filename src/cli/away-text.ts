import { basename, relative } from "node:path";
import type { AwayReport, SessionSnapshot } from "../serve/contract.ts";
import { localTime, shortDuration, shortDurationSince } from "../shown/duration.ts";
import { oneLine } from "../shown/plain-text.ts";
import { plural, spentText } from "./amounts.ts";
import { noPaint } from "./paint.ts";
import { shortId } from "./session-activity.ts";
import { type LineOptions, sessionLine, sessionLines } from "./session-line.ts";
import { sortSessions } from "./state-badge.ts";
import { needsYouText } from "./status-line.ts";
import { tableLines } from "./table.ts";

const MAX_ROWS_PER_SECTION = 20;
const MAX_FILES_PER_PROJECT = 3;

/** What happened since the user's last visit, most urgent first. */
export function awayText(report: AwayReport, options: LineOptions): string {
  const { now, width, paint = noPaint } = options;
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [paint("bold", title), ...lines, ""];
  const listed = (sessions: readonly SessionSnapshot[]): string[] => [
    ...sortSessions(sessions)
      .slice(0, MAX_ROWS_PER_SECTION)
      .map((session) => sessionLine(session, options)),
    ...moreLines(sessions.length),
  ];
  const failures = report.failures
    .slice(-MAX_ROWS_PER_SECTION)
    .map(({ sessionId, atIso, what, message }) => [
      localTime(atIso, now),
      shortId(sessionId),
      oneLine(what),
      oneLine(message ?? ""),
    ]);
  return [
    `Since ${localTime(report.sinceIso, now)}, ${shortDurationSince(report.sinceIso, now)} ago`,
    "",
    ...section(
      needsYouText(report.needsPerson),
      sortSessions(report.needsPerson).flatMap((session) => sessionLines(session, options)),
    ),
    ...section(`${report.finished.length} finished`, listed(report.finished)),
    ...section(`${report.lost.length} lost`, listed(report.lost)),
    ...section(plural(report.failures.length, "failure"), [
      ...tableLines([{}, {}, {}, { isWide: true }], failures, width),
      ...moreLines(report.failures.length),
    ]),
    ...section("Files changed", fileLines(report.filesChanged, width)),
    closingLine(report),
  ].join("\n");
}

function closingLine({ cost, failedToolCount, humanWaitMs, ...report }: AwayReport): string {
  const isQuiet =
    report.needsPerson.length + report.finished.length + report.lost.length + report.failures.length === 0;
  const spent = spentText(cost);
  const facts = [
    isQuiet ? "All quiet: nothing finished, nothing failed, nothing needs you" : null,
    spent === null ? null : `${spent} spent`,
    failedToolCount > 0 ? `${plural(failedToolCount, "tool call")} failed` : null,
    humanWaitMs >= 1_000 ? `agents waited ${shortDuration(humanWaitMs)} for you` : null,
  ].filter(Boolean);
  return facts.length === 0 ? "" : `${facts.join("; ")}.`;
}

/** One line per project: the number of files, and those that changed most. */
function fileLines(files: AwayReport["filesChanged"], width: number): string[] {
  const projects = Map.groupBy(files, ({ projectPath }) => projectPath);
  const rows = [...projects].map(([project, changed]) => {
    const mostChanged = changed.toSorted((a, b) => b.count - a.count).slice(0, MAX_FILES_PER_PROJECT);
    const names = mostChanged.map(({ path, count }) => {
      const name = project === null ? path : relative(project, path);
      return `${oneLine(name.startsWith("..") ? path : name)}${count > 1 ? ` ×${count}` : ""}`;
    });
    const rest = changed.length > mostChanged.length ? ", …" : "";
    return [
      project === null ? "?" : oneLine(basename(project)),
      String(changed.length),
      names.join(", ") + rest,
    ];
  });
  return tableLines([{}, { align: "end" }, { isWide: true }], rows, width);
}

function moreLines(count: number): string[] {
  return count > MAX_ROWS_PER_SECTION ? [`  … ${count - MAX_ROWS_PER_SECTION} more`] : [];
}
