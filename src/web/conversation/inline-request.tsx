import { useRef } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { cards } from "../api/cards.ts";
import { textKey } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { RequestBody } from "../components/request-body.tsx";
import { scrollByKeys } from "../components/scroll-by-keys.ts";
import { useSeen } from "../components/use-seen.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CallInput } from "./call-body.tsx";
import type { Call, DrivenCall } from "./entry.ts";

/** A request at its position in the conversation, with its answers if its card is available. */
export function InlineRequest({ call, requestId }: { readonly call: Call; readonly requestId: string }) {
  const { steer, card: strings } = useStrings();
  const box = useRef<HTMLElement>(null);
  // Matched only by id, so a recorded request never appears above another request's buttons.
  const card = useStore(cards).find(({ id }) => id === requestId);
  const isSeen = useSeen(box, card === undefined ? requestId : `${requestId} ${textKey(card)}`);
  const kind = call.driven?.request?.kind ?? "permission";
  const heading = { permission: steer.asks, plan: steer.asksPlan, question: steer.asksQuestion }[kind];
  return (
    <section
      ref={box}
      className="inline-request"
      data-row
      data-request={requestId}
      data-answerable={isSeen ? "yes" : "no"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: shortcuts apply to the focused card
      tabIndex={0}
      aria-label={heading}
      onKeyDown={scrollByKeys}
    >
      <p className="inline-request-head">{heading}</p>
      {card === undefined ? (
        <div className="call-body">
          <CallInput call={call} folder={null} isStandalone />
          <p className="muted small">{strings.recorded}</p>
        </div>
      ) : (
        <RequestBody key={card.id} card={card} box={box} />
      )}
    </section>
  );
}

/** Who allowed or denied a call, and why. */
export function SettledLine({ call, driven }: { readonly call: Call; readonly driven: DrivenCall }) {
  const { steer } = useStrings();
  const { decision, settled } = driven;
  if (decision?.verdict === "deny")
    return (
      <p className="call-note">
        {visibleText(daemonText(decision.reason))}{" "}
        <span className="muted">{fill(steer.deniedBy, { rule: visibleText(decision.rule) })}</span>
      </p>
    );
  if (settled === null) return null;
  const { outcome, by, who, rule } = settled;
  const reply = outcome === "deny" ? (call.output?.split("\n")[0] ?? "") : "";
  const decider =
    by === "user" ? (who ?? steer.by.user) : by === "rule" ? (rule ?? steer.by.rule) : steer.by[by];
  return (
    <div className="call-note muted">
      {fill(steer.settledBy, { outcome: steer.outcome[outcome], who: visibleText(decider) })}
      {reply !== "" && <p>{visibleText(reply)}</p>}
    </div>
  );
}
