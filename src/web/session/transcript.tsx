import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { SessionDetail } from "../../serve/contract.ts";
import { isEdit } from "../conversation/call-hunks.ts";
import type { Entry } from "../conversation/entry.ts";
import { isBad } from "../conversation/entry.ts";
import { EntryView } from "../conversation/entry-view.tsx";
import { OpenRows } from "../conversation/open-rows.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { KeyHint } from "./key-hint.tsx";
import { StepButtons } from "./step-buttons.tsx";
import type { Story } from "./story.ts";
import { useFollow } from "./use-follow.ts";
import { type ListHandle, VirtualList } from "./virtual-list.tsx";
import "./transcript.css";

/** The whole conversation with all calls, in reading order. */
export function Transcript({
  story,
  detail,
  isComplete,
  isLive,
  startKey,
}: {
  readonly story: Story;
  readonly detail: SessionDetail | null;
  readonly isComplete: boolean;
  readonly isLive: boolean;
  /** The key of the entry to start at. */
  readonly startKey: string | null;
}) {
  const { session } = useStrings();
  const list = useRef<ListHandle>(null);
  const openRows = useRef(new Map<string, boolean>()).current;
  const [areCallsShown, setCallsShown] = useState(true);
  const entries = useMemo(
    () => (areCallsShown ? story.entries : story.entries.filter(({ type }) => type !== "call")),
    [story, areCallsShown],
  );
  const follow = useFollow(entries, isComplete);
  const folder = detail?.session.cwd ?? null;
  const turns = useMemo(
    () => new Map(detail?.turns.flatMap((turn) => (turn.promptId === null ? [] : [[turn.promptId, turn]]))),
    [detail],
  );

  const focusOn = useCallback(
    (index: number): void => {
      const entry = entries[index];
      if (entry === undefined) return;
      list.current?.scrollTo(index);
      // After the list has finished scrolling.
      setTimeout(() => {
        const row = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(entry.key)}"] [data-row]`);
        row?.focus({ preventScroll: true });
      }, 150);
    },
    [entries],
  );
  const findEntry = (matches: (entry: Entry) => boolean, direction: 1 | -1): void => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-item]")?.dataset["item"];
    const focusedIndex = entries.findIndex(({ key }) => key === focused);
    const from =
      focusedIndex === -1 ? (list.current?.firstShown() ?? 0) - (direction === 1 ? 1 : 0) : focusedIndex;
    for (let index = from + direction; index >= 0 && index < entries.length; index += direction)
      if (matches(entries[index]!)) {
        focusOn(index);
        return;
      }
  };
  const lastShownKey = useRef<string | null>(null);
  useEffect(() => {
    if (startKey === null || lastShownKey.current === startKey) return;
    const index = entries.findIndex(({ key }) => key === startKey);
    if (index === -1) return;
    lastShownKey.current = startKey;
    focusOn(index);
  }, [startKey, entries, focusOn]);

  const errors = useMemo(() => entries.filter(isFailure).length, [entries]);
  return (
    <OpenRows value={openRows}>
      <div className="transcript">
        <div className="transcript-bar">
          <StepButtons
            errors={errors}
            onPrompt={(direction) => findEntry(isPrompt, direction)}
            onError={() => findEntry(isFailure, 1)}
          />
          <button
            type="button"
            className="button bare"
            data-key="v"
            aria-pressed={!areCallsShown}
            onClick={() => setCallsShown(!areCallsShown)}
          >
            {session.messagesOnly} <KeyHint letter="v" />
          </button>
          {isLive && (
            <button
              type="button"
              className="button bare"
              data-key="f"
              aria-pressed={follow.isOn}
              onClick={follow.toggle}
            >
              {session.follow} <KeyHint letter="f" />
            </button>
          )}
        </div>
        <VirtualList
          items={entries}
          keyOf={keyOf}
          estimate={estimateHeight}
          handle={list}
          render={(entry, index) => (
            <>
              {index === follow.firstUnseen && (
                <p className="unseen">
                  <span>{session.newSinceLastVisit}</span>
                </p>
              )}
              <EntryView entry={entry} folder={folder} turn={turnOf(entry, turns)} />
            </>
          )}
        />
        {entries.length === 0 && <p className="muted">{isComplete ? session.nothing : session.loading}</p>}
        {!isComplete && entries.length > 0 && <p className="muted">{session.loading}</p>}
        {follow.unseen > 0 && !follow.isOn && (
          <button type="button" className="button primary unseen-pill" onClick={follow.toEnd}>
            {fill(session.newBelow, { n: follow.unseen })}
          </button>
        )}
      </div>
    </OpenRows>
  );
}

function keyOf({ key }: Entry): string {
  return key;
}

function isPrompt({ type }: Entry): boolean {
  return type === "prompt";
}

function isFailure(entry: Entry): boolean {
  return entry.type === "call" ? isBad(entry.call) : entry.type === "turnEnd" && entry.failed !== null;
}

function turnOf(entry: Entry, turns: ReadonlyMap<string, SessionDetail["turns"][number]>) {
  if (entry.type !== "prompt" && entry.type !== "turnEnd") return undefined;
  return entry.promptId === null ? undefined : turns.get(entry.promptId);
}

/** An estimate, until it is measured. */
function estimateHeight(entry: Entry): number {
  switch (entry.type) {
    case "call":
      return isEdit(entry.call.kind) ? 190 : isBad(entry.call) ? 150 : 34;
    case "answer":
    case "prompt":
      return 70 + Math.min(60, (entry.text ?? "").length / 90) * 24;
    default:
      return 42;
  }
}
