import { useEffect, useMemo, useState } from "react";
import { modelName } from "../../agents/model-name.ts";
import type { EventsPage, SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { get } from "../api/client.ts";
import { Icon } from "../parts/icon.tsx";
import { titleOf } from "../parts/standing.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { previewLine } from "../parts/without-markdown.ts";
import { CALL_SHAPES } from "../session/call-shapes.ts";
import { firstLine, subjectOf, toolLabel } from "../session/call-subject.ts";
import { inOrder, type SessionEvent } from "../session/session-event.ts";
import { type Entry, readStory } from "../session/story.ts";
import { Link } from "../shell/link.tsx";
import { clock, count } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import "./now-preview.css";

/** Enough events for so many lines: a call is two or three of them. */
const EVENTS = 60;
const LINES = 15;
const PAUSE_MS = 600;

/** The last that happened in the session that is pointed at, as it happens. */
export function NowPreview({ session }: { readonly session: SessionSnapshot }) {
  const words = useWords();
  const events = useLastEvents(session);
  const isLive = session.endedAtIso === null && session.state !== "lost";
  const entries = useMemo(() => readStory(events, isLive).entries.slice(-LINES), [events, isLive]);
  return (
    <aside className="now-preview panel" aria-label={words.now.preview}>
      <header>
        <StateMark session={session} />
        <Link href={`/s/${encodeURIComponent(session.sessionId)}`} className="title">
          {firstLine(titleOf(session), 120)}
        </Link>
        {session.requests.length === 0 && <p className="muted">{visibleText(firstLine(session.why))}</p>}
        <p className="muted facts">
          {session.model !== null && <span>{visibleText(modelName(session.model))}</span>}
          <span>{fill(words.unit.turns, { n: session.turnCount })}</span>
          <span>{fill(words.session.calls, { n: session.toolCount })}</span>
          <span>{fill(words.unit.tokens, { n: count(tokensOf(session)) })}</span>
        </p>
      </header>
      <ol>
        {entries.map((entry) => (
          <Line key={entry.key} entry={entry} folder={session.cwd} />
        ))}
      </ol>
    </aside>
  );
}

function Line({ entry, folder }: { readonly entry: Entry; readonly folder: string | null }) {
  const { session } = useWords();
  const at = <time className="muted">{clock(new Date(entry.atMs).toISOString())}</time>;
  switch (entry.type) {
    case "prompt": {
      const withheld = entry.isForgotten ? session.forgottenPrompt : session.privatePrompt;
      return (
        <li className={entry.isMachine ? "mark" : "prompt"}>
          <Icon name={entry.isMachine ? "dash" : "right"} />
          <span className={`text ${entry.isMachine ? "muted" : ""}`}>
            {visibleText(entry.text === null ? withheld : previewLine(entry.text))}
          </span>
          {at}
        </li>
      );
    }
    case "answer":
      return (
        <li className="answer">
          <Icon name="plan" />
          <span className="text">{visibleText(previewLine(entry.text))}</span>
          {at}
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
          {at}
        </li>
      );
    }
    case "mark":
      return (
        <li className="mark">
          <Icon name="dash" />
          <span className="text muted">
            {session.mark[entry.kind]} {visibleText(entry.text)}
          </span>
          {at}
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
          {at}
        </li>
      );
    default:
      return entry satisfies never;
  }
}

function tokensOf({ tokens }: SessionSnapshot): number {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

/** Asked again when the session changes, at most so often. */
function useLastEvents({ sessionId, lastEventAtIso }: SessionSnapshot): readonly SessionEvent[] {
  const [read, setRead] = useState<{ readonly of: string; readonly events: readonly SessionEvent[] }>({
    of: sessionId,
    events: [],
  });
  const isFirst = read.of !== sessionId || read.events.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew when something has happened
  useEffect(() => {
    const stop = new AbortController();
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?before=${Number.MAX_SAFE_INTEGER}&limit=${EVENTS}`;
    const timer = setTimeout(
      () =>
        void get<EventsPage>(path, stop.signal).then(
          ({ events }) => setRead({ of: sessionId, events: inOrder(events as unknown as SessionEvent[]) }),
          () => undefined,
        ),
      isFirst ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [sessionId, lastEventAtIso]);
  return read.of === sessionId ? read.events : [];
}
