import { type RefObject, useEffect, useState } from "react";
import type { Card } from "../../control/control-contract.ts";
import { MAX_SHOWN_BYTES, shownLength } from "../../shown/show-request.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { partsOf, textKey } from "../api/requests.ts";
import { formatBytes, formatDuration, formatInteger } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { AnswerActions } from "./answer-actions.tsx";
import { QuestionParts, useChoices } from "./question-parts.tsx";
import { ShownParts } from "./shown-parts.tsx";
import { useEndSeen } from "./use-end-seen.ts";
import { useTextInView } from "./use-seen.ts";
import "./request-body.css";
import { daemonText } from "../i18n/daemon-text.ts";

/** Below this, the card shows the time left to answer. */
const SHOW_TIME_LEFT_MS = 60_000;
/** Above this, the card shows the length of its text. */
const LONG_CHARS = 600;
const LONG_LINES = 12;

/** A request, raw and in full, with its possible answers. The same on every page. */
export function RequestBody({
  card,
  box,
  onAnswered,
}: {
  readonly card: Card;
  /** The request's element; an answer carries a hash of its content. */
  readonly box: RefObject<HTMLElement | null>;
  readonly onAnswered?: () => void;
}) {
  const strings = useStrings();
  const now = useNow();
  const text = `${card.id} ${textKey(card)}`;
  const [isEndSeen, endMark] = useEndSeen(text);
  const isInView = useTextInView(box, text);
  const parts = partsOf(card);
  const choices = useChoices(card);
  const isTooLarge = card.inputBytes > MAX_SHOWN_BYTES;
  const canAnswer = card.status === "pending";
  const leftMs = card.untilIso === null || !canAnswer ? null : Date.parse(card.untilIso) - now;
  const { characters, lines } = shownLength(parts);
  const isLong = characters > LONG_CHARS || lines > LONG_LINES;
  const answers = (
    <AnswerActions
      card={card}
      box={box}
      choices={choices}
      text={text}
      isEndSeen={isEndSeen && isInView}
      isTooLarge={isTooLarge}
      {...(onAnswered && { onAnswered })}
    />
  );
  const shown = (
    <ScrollBox label={strings.card.requestLabel}>
      {card.kind === "question" ? (
        <QuestionParts parts={parts} choices={choices} canChoose={canAnswer} />
      ) : (
        <ShownParts parts={parts} toolName={card.toolName} />
      )}
      <span ref={endMark} className="shown-end" />
    </ScrollBox>
  );
  const notes = (
    <>
      {isLong && (
        <p className="muted length">
          {fill(strings.card.length, { characters: formatInteger(characters), lines: formatInteger(lines) })}
        </p>
      )}
      {isTooLarge && (
        <p className="too-large">
          {fill(strings.card.tooLarge, { size: formatBytes(card.inputBytes) })}{" "}
          {canAnswer && strings.card.onlyDeny}
        </p>
      )}
      {card.reason !== null && card.reason !== "" && (
        <p className="muted why">{visibleText(daemonText(card.reason))}</p>
      )}
    </>
  );
  return (
    <div className="request-body" data-body={card.id}>
      {card.kind === "question" && canAnswer && !isTooLarge ? (
        // Enter presses the answer button while it is enabled.
        <form className="question-form" onSubmit={(event) => event.preventDefault()}>
          {shown}
          {notes}
          {answers}
        </form>
      ) : (
        <>
          {shown}
          {notes}
          {(canAnswer || card.status === "lost") && answers}
        </>
      )}
      {card.status === "terminal" && <TerminalNote why={card.whyTerminal} />}
      {leftMs !== null && leftMs < SHOW_TIME_LEFT_MS && (
        <p className="muted hint">{fill(strings.card.answerWithin, { age: formatDuration(leftMs) })}</p>
      )}
    </div>
  );
}

function TerminalNote({ why }: { readonly why: Card["whyTerminal"] }) {
  const { card } = useStrings();
  return (
    <p className="hint terminal-only">
      <strong>{card.terminalOnly}</strong>{" "}
      {why === "released" && <span className="muted">{card.released}</span>}
    </p>
  );
}

/** Scrolls long content, also by keyboard; focusable only if there is something to scroll. */
export function ScrollBox({
  label,
  children,
}: {
  readonly label: string;
  readonly children: React.ReactNode;
}) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [isScrolling, setScrolling] = useState(false);
  useEffect(() => {
    if (box === null) return;
    const observer = new ResizeObserver(() => setScrolling(box.scrollHeight > box.clientHeight + 1));
    observer.observe(box);
    if (box.firstElementChild !== null) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, [box]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be disabled together with the answers
    <div
      ref={setBox}
      role="group"
      className={`shown-box ${isScrolling ? "scrolls" : ""}`}
      aria-label={label}
      tabIndex={isScrolling ? 0 : -1}
    >
      <div className="shown-list">{children}</div>
    </div>
  );
}
