import { useDeferredValue, useMemo, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CopyButton } from "./copy-button.tsx";
import type { SessionEvent } from "./session-event.ts";
import { VirtualList } from "./virtual-list.tsx";
import "./raw.css";

/** Every event as it is stored. */
export function Raw({
  events,
  isComplete,
}: {
  readonly events: readonly SessionEvent[];
  readonly isComplete: boolean;
}) {
  const { session, app } = useStrings();
  const [text, setText] = useState("");
  const [openId, setOpenId] = useState<string | null>(null);
  const query = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(
    () =>
      query === "" ? events : events.filter((event) => JSON.stringify(event).toLowerCase().includes(query)),
    [events, query],
  );
  return (
    <div className="raw">
      <div className="raw-bar">
        <input
          className="field"
          type="search"
          data-key="/"
          aria-label={session.filterEvents}
          placeholder={session.filterEvents}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span className="muted" aria-live="polite">
          {fill(session.eventsShown, { n: shown.length, of: events.length })}
          {!isComplete && ` ${session.loading}`}
        </span>
        <CopyButton
          label={session.copyEvents}
          text={() => shown.map((event) => JSON.stringify(event)).join("\n")}
        />
      </div>
      <div className="panel rows">
        <VirtualList
          items={shown}
          keyOf={(event) => event.id}
          estimate={() => 32}
          render={(event) => (
            <div className="raw-row">
              <button
                type="button"
                data-row
                className="summary"
                aria-expanded={openId === event.id}
                onClick={() => setOpenId(openId === event.id ? null : event.id)}
              >
                <span className="muted">{event.seq}</span>
                <span className="muted">{formatTime(event.occurredAtIso)}</span>
                <span className="type cut">
                  {visibleText(event.eventType)}
                  {event.phase != null && <span className="muted"> {visibleText(event.phase)}</span>}
                </span>
                <span className="muted cut about">{visibleText(summaryOf(event))}</span>
                <span className="muted origin">{visibleText(String(event["origin"] ?? ""))}</span>
              </button>
              {openId === event.id && (
                <div className="raw-body">
                  <CopyButton label={app.copy} text={() => JSON.stringify(event, null, 2)} />
                  <pre>
                    <code>{JSON.stringify(event, null, 2).split("\n").map(visibleText).join("\n")}</code>
                  </pre>
                </div>
              )}
            </div>
          )}
        />
        {shown.length === 0 && <p className="muted none">{session.nothing}</p>}
      </div>
    </div>
  );
}

const MAX_PREVIEW_CHARS = 160;

/** A one-line summary: the text, or else the tool or event, the call and the subagent. */
function summaryOf(event: SessionEvent): string {
  const payload = event["payload"] as { toolName?: unknown } | undefined;
  const blocks = Object.values((event["blocks"] ?? {}) as Record<string, { text?: unknown; name?: unknown }>);
  const preview = [event["prompt"], ...blocks.flatMap(({ text, name }) => [text, name])].find(
    isNonEmptyString,
  );
  return [
    preview?.slice(0, MAX_PREVIEW_CHARS),
    payload?.toolName,
    event["name"],
    event.toolUseId,
    event.agentId,
  ]
    .filter(isNonEmptyString)
    .join(" · ");
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
