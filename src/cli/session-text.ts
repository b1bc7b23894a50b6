import type { ModelUsage, SessionDetail, SessionSnapshot } from "../serve/contract.ts";
import { costText, estimateText } from "../shown/cost-text.ts";
import { localTime, shortDuration, shortDurationSince } from "../shown/duration.ts";
import { machinePromptText } from "../shown/machine-prompt-text.ts";
import { oneLine } from "../shown/plain-text.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { waitDurationMs } from "../shown/wait-duration.ts";
import { countText, plural } from "./amounts.ts";
import { noPaint } from "./paint.ts";
import { fullRequestLines, jumpHint, repeatText, terminalOnlyReason } from "./request-text.ts";
import { contextPercent, modelText, projectLabel } from "./session-activity.ts";
import type { LineOptions } from "./session-line.ts";
import { stateBadge } from "./state-badge.ts";
import { tableLines } from "./table.ts";
import { groupEqual, toWaitingRequests, type WaitingRequest } from "./waiting-requests.ts";

const MAX_ROWS_PER_SECTION = 20;

/** One session in readable form: state and reason, its requests in full, then what it did. */
export function sessionText(
  detail: SessionDetail,
  options: LineOptions,
  requests = toWaitingRequests([], [detail.session]),
): string {
  const { paint = noPaint } = options;
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", paint("bold", title), ...lines];
  return [
    ...header(detail.session, options),
    ...section("Waiting for you", requestSectionLines(requests.filter(isWaiting), options)),
    ...section(
      "Lost",
      requestSectionLines(
        requests.filter((request) => !isWaiting(request)),
        options,
      ),
    ),
    ...section("Turns", turnLines(detail, options)),
    ...section("Tools", toolLines(detail, options)),
    ...section("Skills", skillLines(detail, options)),
    ...section("Usage", usageLines(detail, options)),
    ...section("Files changed", listLines(detail.filesChanged)),
    ...section("Past waits", waitLines(detail, options)),
  ].join("\n");
}

function isWaiting({ card }: WaitingRequest): boolean {
  return card?.status !== "lost";
}

function header(session: SessionSnapshot, { now, paint = noPaint }: LineOptions): string[] {
  const badge = stateBadge(session);
  const context = contextPercent(session);
  const facts = [
    projectLabel(session),
    session.provider === "unknown" ? "unknown agent" : null,
    session.driven ? "driven" : null,
    session.model === null ? null : modelText(session.model),
    session.permissionMode === null ? null : oneLine(session.permissionMode),
    context === null ? null : `context ${context}%`,
    costText(session.cost),
  ];
  const evidence = session.evidence.map(
    ({ source, what, atIso }) => `${source} ${oneLine(what)}, ${shortDurationSince(atIso, now)} ago`,
  );
  const waited = waitDurationMs(session, now);
  const counts = [
    plural(session.turnCount, "turn"),
    `${plural(session.toolCount, "tool call")}${session.failedToolCount > 0 ? ` (${session.failedToolCount} failed)` : ""}`,
    waited >= 1_000 ? `waited for you ${shortDuration(waited)}` : null,
  ];
  const ended =
    session.endedAtIso === null
      ? ""
      : `, ended ${localTime(session.endedAtIso, now)}${session.endReason === null ? "" : ` (${oneLine(session.endReason)})`}`;
  return [
    `${paint(badge.colour, `${badge.icon} ${badge.label}`)} for ${shortDurationSince(session.sinceIso, now)}  ${facts.filter(Boolean).join("  ")}`,
    visibleLine(session.why),
    ...evidence.map((line) => paint("dim", `  ${line}`)),
    ...(session.title === null ? [] : [oneLine(session.title)]),
    `${oneLine(session.sessionId)} in ${oneLine(session.cwd ?? session.projectPath ?? "?")}`,
    `started ${localTime(session.startedAtIso, now)}${ended}; ${counts.filter(Boolean).join(", ")}`,
    ...(session.error === null
      ? []
      : [`error ${oneLine(session.error.kind)}: ${oneLine(session.error.message ?? "")}`]),
  ];
}

/** Each request in full, because the person decides on it. */
function requestSectionLines(
  requests: readonly WaitingRequest[],
  { now, width, paint }: LineOptions,
): string[] {
  const groups = groupEqual(requests);
  return groups.flatMap(({ first, ids }, index) => [
    ...(index === 0 ? [] : [""]),
    `  ${[sinceText(first, now), repeatText(ids.length)].filter(Boolean).join(" ")}`,
    ...fullRequestLines(first, { width: width - 2, paint }).map((line) => `  ${line}`),
    `  ${answerHintLine(first)}`,
  ]);
}

function sinceText(request: WaitingRequest, now: number): string {
  const since = shortDurationSince(request.sinceIso, now);
  return isWaiting(request) ? `${request.kind} for ${since}` : `${request.kind}, asked ${since} ago`;
}

function answerHintLine(request: WaitingRequest): string {
  const why = terminalOnlyReason(request);
  if (!isWaiting(request)) return `Ask again: hookline answer ${visibleLine(request.id)} again`;
  if (why === null) return `Answer: hookline answer ${visibleLine(request.id)}`;
  const hint = jumpHint(request.session);
  return `Answer this in the terminal: ${why}${hint === null ? "" : ` ${hint}`}`;
}

function turnLines({ turns }: SessionDetail, { now, width }: LineOptions): string[] {
  const rows = turns.slice(-MAX_ROWS_PER_SECTION).map((turn) => {
    const { input, output, cacheRead, cacheWrite } = turn.tokens;
    const durationMs =
      Date.parse(turn.endedAtIso ?? new Date(now).toISOString()) - Date.parse(turn.startedAtIso);
    return [
      turn.number === null ? "-" : String(turn.number),
      promptText(turn),
      `${plural(turn.toolCount, "tool")}${turn.failedToolCount > 0 ? `, ${turn.failedToolCount} failed` : ""}`,
      `${countText(input + output + cacheRead + cacheWrite)} tokens`,
      estimateText(turn.costMicros) ?? "-",
      shortDuration(durationMs),
      turn.outcome === "ended" ? "" : turn.outcome,
    ];
  });
  const columns = [
    { align: "end" },
    { isWide: true },
    {},
    { align: "end" },
    { align: "end" },
    { align: "end" },
    {},
  ] as const;
  return [...earlierLines(turns.length), ...tableLines(columns, rows, width)];
}

function promptText({ prompt, isForgotten, isMachine }: SessionDetail["turns"][number]): string {
  if (prompt === null) return isForgotten === true ? "(forgotten)" : "(private)";
  return oneLine(isMachine ? machinePromptText(prompt) : prompt);
}

function toolLines({ tools }: SessionDetail, { width }: LineOptions): string[] {
  const rows = [...tools]
    .sort((a, b) => b.count - a.count)
    .map(({ toolName, count, failed, totalMs, longestMs }) => [
      oneLine(toolName),
      String(count),
      failed > 0 ? `${failed} failed` : "",
      `${shortDuration(totalMs)} total`,
      `longest ${shortDuration(longestMs)}`,
    ]);
  return tableLines([{ isWide: true }, { align: "end" }, {}, {}, {}], rows, width);
}

function skillLines({ skills }: SessionDetail, { now, width }: LineOptions): string[] {
  const rows = skills
    .slice(-MAX_ROWS_PER_SECTION)
    .map(({ skillName, state, startedAtIso, endedAtIso }) => [
      localTime(startedAtIso ?? endedAtIso!, now),
      oneLine(skillName),
      state.replace("_", " "),
    ]);
  return [...earlierLines(skills.length), ...tableLines([{}, { isWide: true }, {}], rows, width)];
}

/** Per model, and the part of the agent's own total that no message accounts for. */
function usageLines({ usage }: SessionDetail, { width }: LineOptions): string[] {
  const row = (modelUsage: ModelUsage, name: string): string[] => [
    name,
    `in ${countText(modelUsage.input)}`,
    `out ${countText(modelUsage.output)}`,
    `cache read ${countText(modelUsage.cacheRead)}`,
    `write ${countText(modelUsage.cacheWrite)}`,
    estimateText(modelUsage.costMicros) ?? "unpriced",
  ];
  const rows = [
    ...usage.byModel.map((entry) => row(entry, modelText(entry.model))),
    ...usage.beyondMessages.map((entry) => row(entry, `other usage, ${modelText(entry.model)}`)),
  ];
  const columns = [{ isWide: true }, {}, {}, {}, {}, { align: "end" }] as const;
  if (rows.length === 0) return [];
  const total = costText(usage.cost);
  const source = usage.cost.source === "reported" ? "as reported" : `prices of ${oneLine(usage.pricesOf)}`;
  return [...tableLines(columns, rows, width), ...(total === null ? [] : [`  ${total} total, ${source}`])];
}

function waitLines({ waits }: SessionDetail, { now, width }: LineOptions): string[] {
  const rows = waits
    .slice(-MAX_ROWS_PER_SECTION)
    .map(({ kind, text, startedAtIso, endedAtIso }) => [
      localTime(startedAtIso, now),
      kind,
      endedAtIso === null
        ? "still waiting"
        : shortDuration(Date.parse(endedAtIso) - Date.parse(startedAtIso)),
      visibleLine(text),
    ]);
  return [
    ...earlierLines(waits.length),
    ...tableLines([{}, {}, { align: "end" }, { isWide: true }], rows, width),
  ];
}

function listLines(paths: readonly string[]): string[] {
  const rest = paths.length - MAX_ROWS_PER_SECTION;
  return [
    ...paths.slice(0, MAX_ROWS_PER_SECTION).map((path) => `  ${oneLine(path)}`),
    ...(rest > 0 ? [`  … ${rest} more`] : []),
  ];
}

function earlierLines(count: number): string[] {
  return count > MAX_ROWS_PER_SECTION ? [`  … ${count - MAX_ROWS_PER_SECTION} earlier ones`] : [];
}
