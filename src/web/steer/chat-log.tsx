import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { DrivenState } from "../../control/envelope.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { markMoved } from "../components/use-steady.ts";
import type { ChatEntry } from "../conversation/entry.ts";
import { EntryView } from "../conversation/entry-view.tsx";
import { Markdown } from "../conversation/markdown.tsx";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { nestEntries } from "./chat-entries.ts";

const NEAR_END_PX = 40;
const ACTIVE_REQUEST = "[data-request]:hover, [data-request]:focus-within";

/** The conversation. It scrolls along only if the user is at the end; otherwise a button counts the new entries. */
export function ChatLog({
  entries,
  partial,
  state,
  folder,
  forkedFrom,
}: {
  readonly entries: readonly ChatEntry[];
  readonly partial: string;
  readonly state: DrivenState;
  readonly folder: string;
  /** The session it was forked from. */
  readonly forkedFrom: string | null;
}) {
  const { steer } = useStrings();
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const [seenSeq, setSeenSeq] = useState<number | null>(null);
  const nested = useMemo(() => nestEntries(entries), [entries]);
  const lastSeq = entries.at(-1)?.seq ?? 0;
  const unseen = seenSeq === null ? 0 : entries.filter(({ seq = 0 }) => seq > seenSeq).length;
  const scrollToEnd = useCallback((): void => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, []);
  /** Not while the user is at a request, because other buttons would move under the pointer. */
  const follow = useCallback((): void => {
    const element = scroller.current;
    if (element === null || !isAtEnd.current || element.querySelector(ACTIVE_REQUEST) !== null) return;
    const previousTop = element.scrollTop;
    scrollToEnd();
    if (element.scrollTop !== previousTop) markMoved();
  }, [scrollToEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these change the height
  useLayoutEffect(() => {
    follow();
  }, [entries, partial, state]);
  // Expanded entries and a narrower window also make it longer.
  useEffect(() => {
    const observer = new ResizeObserver(follow);
    if (content.current !== null) observer.observe(content.current);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [follow]);
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const isAtEndNow = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    const hasMovedUp = element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    // Content that grew before this event was delivered is not the user scrolling away from the end.
    if (isAtEndNow === isAtEnd.current || (!isAtEndNow && !hasMovedUp)) return;
    isAtEnd.current = isAtEndNow;
    setSeenSeq(isAtEndNow ? null : lastSeq);
  };
  return (
    <div className="chat-frame">
      <section
        ref={scroller}
        className="chat-log"
        aria-label={steer.conversation}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        <div ref={content} className="chat-body">
          {forkedFrom !== null && (
            <p className="notice muted">
              {steer.forkOf}{" "}
              <Link href={`/steer/${encodeURIComponent(forkedFrom)}`}>
                {visibleText(forkedFrom.slice(0, 8))}
              </Link>
            </p>
          )}
          {nested.map((entry) => (
            <EntryView key={entry.key} entry={entry} folder={folder} />
          ))}
          {partial !== "" && (
            <div className="entry answer">
              <div className="content in-progress" aria-live="off">
                <Markdown text={partial} />
              </div>
            </div>
          )}
          {partial === "" && (state === "thinking" || state === "stopping") && (
            <p className="muted chat-busy">{steer.state[state]}…</p>
          )}
        </div>
      </section>
      {seenSeq !== null && (
        <button type="button" className="button chat-unseen" data-key="G" onClick={scrollToEnd}>
          ↓ {unseen > 0 ? fill(steer.newBelow, { n: unseen }) : steer.scrollToEnd}
        </button>
      )}
    </div>
  );
}
