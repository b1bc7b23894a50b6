import { useEffect, useMemo, useState } from "react";
import { shortModelName } from "../../agents/model-name.ts";
import type { EventsPage, SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { get } from "../api/client.ts";
import { Icon } from "../components/icon.tsx";
import { titleOf } from "../components/session-status.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { previewLine } from "../components/without-markdown.ts";
import { CALL_SHAPES } from "../conversation/call-shapes.ts";
import { firstLine, subjectOf, toolLabel } from "../conversation/call-subject.ts";
import type { Entry } from "../conversation/entry.ts";
import { markText } from "../conversation/mark-text.ts";
import { formatCount, formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { type SessionEvent, sortEvents } from "../session/session-event.ts";
import { readStory } from "../session/story.ts";
import { Link } from "../shell/link.tsx";
import "./now-preview.css";
import { daemonText } from "../i18n/daemon-text.ts";

/** Enough events for the lines shown: a call has two or three of them. */
const MAX_EVENTS = 60;
const MAX_LINES = 15;
const REFETCH_MS = 600;

/** The latest activity of the session under the pointer, live. */
export function NowPreview({ session }: { readonly session: SessionSnapshot }) {
  const strings = useStrings();
  const events = useLastEvents(session);
  const isLive = session.endedAtIso === null && session.state !== "lost";
  const entries = useMemo(() => readStory(events, isLive).entries.slice(-MAX_LINES), [events, isLive]);
  return (
    <aside className="now-preview panel" aria-label={strings.now.preview}>
      <header>
        <StateBadge session={session} />
        <Link href={`/s/${encodeURIComponent(session.sessionId)}`} className="title">
          {firstLine(titleOf(session), 120)}
        </Link>
        {session.requests.length === 0 && (
          <p className="muted">{visibleText(daemonText(firstLine(session.why)))}</p>
        )}
        <p className="muted facts">
          {session.model !== null && <span>{visibleText(shortModelName(session.model))}</span>}
          <span>{fill(strings.unit.turns, { n: session.turnCount })}</span>
          <span>{fill(strings.session.calls, { n: session.toolCount })}</span>
          <span>{fill(strings.unit.tokens, { n: formatCount(tokensOf(session)) })}</span>
        </p>
      </header>
      <ol>
        {entries.map((entry) => (
          <PreviewLine key={entry.key} entry={entry} folder={session.cwd} />
        ))}
      </ol>
    </aside>
  );
}

function PreviewLine({ entry, folder }: { readonly entry: Entry; readonly folder: string | null }) {
  const strings = useStrings();
  const { session } = strings;
  const time = <time className="muted">{formatTime(new Date(entry.atMs).toISOString())}</time>;
  switch (entry.type) {
    case "prompt": {
      const withheld = entry.isForgotten ? session.forgottenPrompt : session.privatePrompt;
      return (
        <li className={entry.isMachine ? "mark" : "prompt"}>
          <Icon name={entry.isMachine ? "dash" : "right"} />
          <span className={`text ${entry.isMachine ? "muted" : ""}`}>
            {visibleText(entry.text === null ? withheld : previewLine(entry.text))}
          </span>
          {time}
        </li>
      );
    }
    case "answer":
      return (
        <li className="answer">
          <Icon name="plan" />
          <span className="text">{visibleText(previewLine(entry.text))}</span>
          {time}
        </li>
      );
    case "call": {
      const { call } = entry;
      return (
        <li className={call.status}>
          <Icon name={CALL_SHAPES[call.status]} />
          <span className="sr-only">{session.status[call.status]}</span>
          <span className="text">
            <strong>{visibleText(toolLabel(call.toolName))}</strong>{" "}
            <code>{visibleText(subjectOf(call, folder))}</code>
          </span>
          {time}
        </li>
      );
    }
    case "mark":
      return (
        <li className="mark">
          <Icon name="dash" />
          <span className="text muted">
            {session.mark[entry.kind]} {markText(entry, strings)}
          </span>
          {time}
        </li>
      );
    case "turnEnd":
      return (
        <li className={entry.failed === null ? "mark" : "failed"}>
          <Icon name={entry.failed === null ? "check" : "bang"} />
          <span className="text muted">
            {entry.failed === null
              ? session.turnDone
              : fill(session.turnFailed, { why: visibleText(entry.failed) })}
          </span>
          {time}
        </li>
      );
    default:
      return entry satisfies never;
  }
}

function tokensOf({ tokens }: SessionSnapshot): number {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

/** Fetched again when the session changes, with a minimum interval. */
function useLastEvents({ sessionId, lastEventAtIso }: SessionSnapshot): readonly SessionEvent[] {
  const [loaded, setLoaded] = useState<{
    readonly sessionId: string;
    readonly events: readonly SessionEvent[];
  }>({
    sessionId,
    events: [],
  });
  const isFirst = loaded.sessionId !== sessionId || loaded.events.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetched after each new event
  useEffect(() => {
    const controller = new AbortController();
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?before=${Number.MAX_SAFE_INTEGER}&limit=${MAX_EVENTS}`;
    const timer = setTimeout(
      () =>
        void get<EventsPage>(path, controller.signal).then(
          ({ events }) => setLoaded({ sessionId, events: sortEvents(events as unknown as SessionEvent[]) }),
          () => undefined,
        ),
      isFirst ? 0 : REFETCH_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [sessionId, lastEventAtIso]);
  return loaded.sessionId === sessionId ? loaded.events : [];
}
