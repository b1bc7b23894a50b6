import { useLayoutEffect, useRef } from "react";
import type { Card } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { answered } from "../api/cards.ts";
import { useNow } from "../api/clock.ts";
import { type AttentionRequest, isLost, textKey } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { baseName, formatDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { resumeCommand } from "../session/resume-command.ts";
import { Link } from "../shell/link.tsx";
import { CopyIconButton } from "./copy-icon-button.tsx";
import { Icon } from "./icon.tsx";
import { RecordedRequest } from "./recorded-request.tsx";
import { RequestBody } from "./request-body.tsx";
import { scrollByKeys } from "./scroll-by-keys.ts";
import { SessionMarkIcons } from "./session-marks.tsx";
import { KIND_SHAPES, titleOf } from "./session-status.ts";
import { useSeen } from "./use-seen.ts";
import "./request-card.css";
import { daemonText } from "../i18n/daemon-text.ts";

/** One request, or a session whose turn failed, with the actions available here. */
export function RequestCard({
  request,
  hasEnded,
  isFrozen,
  isOnOwnPage,
  onAnswered,
}: {
  readonly request: AttentionRequest;
  /** The request has ended; only its slot remains. */
  readonly hasEnded: boolean;
  /** Nothing in the list may move up. */
  readonly isFrozen: boolean;
  readonly isOnOwnPage: boolean;
  readonly onAnswered: (element: HTMLElement) => void;
}) {
  const { now: strings } = useStrings();
  const box = useRef<HTMLElement>(null);
  const { key, card, recorded, session, sessionId } = request;
  const isSeen = useSeen(box, `${key} ${card === null ? "" : textKey(card)}`);
  const minHeight = useFrozenHeight(box, isFrozen);
  const href = `/s/${encodeURIComponent(sessionId)}`;
  const title = session === null ? visibleText(sessionId.slice(0, 8)) : titleOf(session);
  if (hasEnded) return <EndedCard request={request} title={title} minHeight={minHeight} box={box} />;
  return (
    <article
      ref={box}
      className="request-card panel"
      style={{ minHeight }}
      data-row
      data-request={key}
      data-ids={request.ids.join(" ")}
      data-session={sessionId}
      data-href={isOnOwnPage ? undefined : href}
      data-answerable={isSeen ? "yes" : "no"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: shortcuts apply to the focused card
      tabIndex={0}
      aria-label={`${strings.needsYou}: ${title}`}
      onKeyDown={scrollByKeys}
    >
      <CardHeader request={request} title={title} href={href} isOnOwnPage={isOnOwnPage} />
      {card !== null ? (
        <RequestBody
          key={card.id}
          card={card}
          box={box}
          onAnswered={() => box.current !== null && onAnswered(box.current)}
        />
      ) : recorded !== null ? (
        <RecordedRequest id={key} recorded={recorded} />
      ) : (
        <p className="why">{visibleText(daemonText(session?.why ?? ""))}</p>
      )}
    </article>
  );
}

function CardHeader({
  request,
  title,
  href,
  isOnOwnPage,
}: {
  readonly request: AttentionRequest;
  readonly title: string;
  readonly href: string;
  readonly isOnOwnPage: boolean;
}) {
  const strings = useStrings();
  const now = useNow();
  const { session, ids, sessionId, sinceIso } = request;
  const resume = session === null ? null : resumeCommand(session);
  return (
    <header>
      <KindBadge kind={isLost(request) ? "lost" : (request.card?.kind ?? request.recorded?.kind ?? null)} />
      <span className="about">
        {!isOnOwnPage && (
          <Link href={href} className="title">
            {title}
          </Link>
        )}
        <SessionMarkIcons sessionId={sessionId} />
        {ids.length > 1 && (
          <span className="times" title={fill(strings.card.sameCountHint, { n: ids.length })}>
            {fill(strings.card.sameCount, { n: ids.length })}
          </span>
        )}
        {session !== null && !isOnOwnPage && (
          <span className="muted where cut">
            {visibleText(baseName(session.projectPath))}
            {session.gitBranch !== null && ` ▸ ${visibleText(session.gitBranch)}`}
          </span>
        )}
      </span>
      {!isOnOwnPage && resume !== null && <CopyIconButton text={resume} label={strings.session.copyResume} />}
      <span className="waits">
        {fill(isLost(request) ? strings.now.askedAgo : strings.now.waiting, {
          age: formatDuration(now - Date.parse(sinceIso)),
        })}
      </span>
    </header>
  );
}

function KindBadge({ kind }: { readonly kind: Card["kind"] | "lost" | null }) {
  const { state } = useStrings();
  const key = kind === null ? "failed" : kind === "lost" ? kind : (`waiting_${kind}` as const);
  return (
    <span className={`state-mark ${kind === null || kind === "lost" ? "bad" : "ask"}`}>
      <span className="shape">
        <Icon name={KIND_SHAPES[key]} />
      </span>
      <span className="status-text">{state[key]}</span>
    </span>
  );
}

/** Keeps its space, so that nothing below moves under a pointer that is about to click. */
function EndedCard({
  request,
  title,
  minHeight,
  box,
}: {
  readonly request: AttentionRequest;
  readonly title: string;
  readonly minHeight: number | undefined;
  readonly box: React.RefObject<HTMLElement | null>;
}) {
  const { card } = useStrings();
  const ending = useStore(answered).get(request.key)?.outcome ?? "over";
  return (
    <article
      ref={box}
      className="request-card panel settled"
      style={{ minHeight }}
      data-session={request.sessionId}
    >
      <p className="muted">
        <Icon name={ending === "deny" ? "denied" : "check"} /> <strong>{card.ending[ending]}</strong>{" "}
        <span className="cut">{title}</span>
      </p>
    </article>
  );
}

/** While the list is frozen, its items may grow but not shrink. */
function useFrozenHeight(
  element: React.RefObject<HTMLElement | null>,
  isFrozen: boolean,
): number | undefined {
  const height = useRef(0);
  useLayoutEffect(() => {
    const currentHeight = element.current?.getBoundingClientRect().height ?? 0;
    height.current = isFrozen ? Math.max(height.current, currentHeight) : currentHeight;
  });
  return isFrozen && height.current > 0 ? height.current : undefined;
}
