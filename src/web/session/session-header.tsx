import { shortModelName } from "../../agents/model-name.ts";
import type { SessionDetail, SessionSnapshot } from "../../serve/contract.ts";
import { runDurationMs } from "../../shown/run-duration.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { waitDurationMs } from "../../shown/wait-duration.ts";
import { useNow } from "../api/clock.ts";
import { useReportViewing } from "../api/report-viewing.ts";
import { useRequests } from "../api/requests.ts";
import { RequestList } from "../components/request-list.tsx";
import { MarkButtons } from "../components/session-marks.tsx";
import { titleOf } from "../components/session-status.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { firstLine } from "../conversation/call-subject.ts";
import { baseName, formatCost, formatCount, formatDay, formatDuration, formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { CopyButton } from "./copy-button.tsx";
import { jumpCommand, resumeCommand } from "./resume-command.ts";
import "./session-header.css";
import { daemonText } from "../i18n/daemon-text.ts";

/** What this session is, its state and why, and the actions available here. */
export function SessionHeader({
  session,
  detail,
}: {
  readonly session: SessionSnapshot;
  readonly detail: SessionDetail | null;
}) {
  const strings = useStrings();
  const now = useNow();
  const requests = useRequests().filter(({ sessionId }) => sessionId === session.sessionId);
  useReportViewing(
    session.sessionId,
    requests.map(({ key }) => key),
  );
  const resume = resumeCommand(session);
  const jump = jumpCommand(session);
  const evidence = session.evidence.map(({ source, what, atIso }) => {
    const age = fill(strings.session.ago, { age: formatDuration(now - Date.parse(atIso)) });
    return `${strings.session.source[source]} ${daemonText(what)} ${age}`;
  });
  return (
    <header className="session-header">
      <div className="top">
        <h1 className="cut" title={visibleText(titleOf(session))}>
          {visibleText(firstLine(titleOf(session), 160))}
        </h1>
        <div className="actions">
          {session.driven && (
            <Link className="button primary" href={`/steer/${encodeURIComponent(session.sessionId)}`}>
              {strings.session.openSteer}
            </Link>
          )}
          {resume !== null && <CopyButton text={resume} label={strings.session.copyResume} letter="c" />}
          {jump !== null && (
            <CopyButton text={jump} label={strings.session.copyJump} className="button jump" />
          )}
          <MarkButtons sessionId={session.sessionId} />
          <CopyButton text={() => location.href} label={strings.session.copyLink} letter="w" />
        </div>
      </div>
      <p className="status">
        <StateBadge session={session} />
        {session.provider === "unknown" && <span className="muted">{strings.session.unknownAgent}</span>}
        {/* Requests are on the cards below, each with its own text. */}
        {requests.length === 0 && (
          <span className="why cut" title={visibleText(daemonText(session.why))}>
            {visibleText(daemonText(firstLine(session.why)))}
          </span>
        )}
        <span
          className="evidence cut muted"
          title={[strings.session.evidence, ...evidence.map(visibleText)].join("\n")}
        >
          {visibleText(evidence.join(" · "))}
        </span>
      </p>
      <Facts session={session} detail={detail} now={now} />
      <RequestList requests={requests} isOnOwnPage />
    </header>
  );
}

/** Unknown values are left out. */
const UNKNOWN = "–";

function Facts({
  session,
  detail,
  now,
}: {
  readonly session: SessionSnapshot;
  readonly detail: SessionDetail | null;
  readonly now: number;
}) {
  const strings = useStrings();
  const { contextTokens, contextWindow, terminal, startedAtIso, endedAtIso } = session;
  const ratio = contextTokens !== null && contextWindow ? Math.min(1, contextTokens / contextWindow) : null;
  const waitedMs = waitDurationMs(session, now);
  const isQuiet = session.state === "idle" || session.state === "lost";
  const untilMs = Date.parse(endedAtIso ?? session.lastEventAtIso);
  const ranMs = runDurationMs(session, endedAtIso === null && !isQuiet ? now : untilMs);
  const terminalText = [terminal?.program, terminal?.tmuxPane, terminal?.sshTty].filter(Boolean).join(" ");
  const failedCount = session.failedToolCount;
  const facts: readonly (readonly [string, React.ReactNode, string?, "small"?])[] = [
    [
      strings.session.project,
      <>
        {visibleText(baseName(session.projectPath))}
        {session.gitBranch !== null && <span className="muted"> ▸ {visibleText(session.gitBranch)}</span>}
      </>,
      session.cwd ?? undefined,
    ],
    [strings.session.model, visibleText(session.model === null ? UNKNOWN : shortModelName(session.model))],
    [strings.session.mode, visibleText(session.permissionMode ?? UNKNOWN), undefined, "small"],
    [
      strings.session.context,
      ratio === null ? (
        UNKNOWN
      ) : (
        <>
          <meter min={0} max={1} high={0.85} value={ratio} aria-label={strings.session.context} />{" "}
          {Math.round(ratio * 100)}%
        </>
      ),
      contextTokens === null
        ? undefined
        : `${formatCount(contextTokens)} / ${formatCount(contextWindow ?? 0)}`,
    ],
    [strings.session.cost, formatCost(session.cost), detail === null ? undefined : detail.usage.pricesOf],
    [
      strings.session.turns,
      <>
        {session.turnCount}
        <span className="muted">
          {" "}
          · {fill(strings.session.calls, { n: session.toolCount })}
          {failedCount > 0 && (
            <span className="bad"> · {fill(strings.session.failed, { n: failedCount })}</span>
          )}
        </span>
      </>,
    ],
    [strings.session.waited, waitedMs < 1_000 ? UNKNOWN : formatDuration(waitedMs)],
    [
      strings.session.ran,
      formatDuration(ranMs),
      `${formatDay(startedAtIso)} ${formatTime(startedAtIso)}`,
      "small",
    ],
    [strings.session.terminal, terminalText === "" ? UNKNOWN : visibleText(terminalText), undefined, "small"],
  ];
  return (
    // On a phone it is scrolled sideways, by keyboard too.
    <dl className="facts" tabIndex={0}>
      {facts
        .filter(([, value]) => value !== UNKNOWN)
        .map(([name, value, title, className]) => (
          <div key={name} title={title && visibleText(title)} className={className}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
