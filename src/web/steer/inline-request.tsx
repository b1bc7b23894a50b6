import { useRef } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { cards } from "../api/cards.ts";
import { textKey } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { RequestBody } from "../components/request-body.tsx";
import { scrollByKeys } from "../components/scroll-by-keys.ts";
import { useSeen } from "../components/use-seen.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import type { AskedRequest, ChatCall, SettledRequest } from "./chat-items.ts";
import { ToolInput } from "./tool-input.tsx";

/** A request at its position in the conversation, with its answers if its card is available. */
export function InlineRequest({ call, asked }: { readonly call: ChatCall; readonly asked: AskedRequest }) {
  const { steer, card: words } = useStrings();
  const { tool, input } = call;
  const { requestId: key } = asked;
  const box = useRef<HTMLElement>(null);
  // Only by id: the record of a request is never shown above another one's buttons.
  const card = useStore(cards).find(({ id }) => id === key);
  const isSeen = useSeen(box, card === undefined ? key : `${key} ${textKey(card)}`);
  const asks = { permission: steer.asks, plan: steer.asksPlan, question: steer.asksQuestion }[asked.kind];
  return (
    <section
      ref={box}
      className="asked-here"
      data-row
      data-request={key}
      data-answerable={isSeen ? "yes" : "no"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys answer the card that has the focus
      tabIndex={0}
      aria-label={asks}
      onKeyDown={scrollByKeys}
    >
      <p className="asked-head">{asks}</p>
      {card === undefined ? (
        <>
          <ToolInput tool={tool} input={input} />
          <p className="muted hint">{words.recorded}</p>
        </>
      ) : (
        <RequestBody key={card.id} card={card} box={box} />
      )}
    </section>
  );
}

/** How a request ended, and by whom. */
export function SettledLine({
  call,
  settled,
}: {
  readonly call: ChatCall;
  readonly settled: SettledRequest;
}) {
  const { steer } = useStrings();
  const { outcome, by, who, rule, answers } = settled;
  const said = outcome === "deny" ? (call.output.split("\n")[0] ?? "") : "";
  const whom =
    by === "user" ? (who ?? steer.by.user) : by === "rule" ? (rule ?? steer.by.rule) : steer.by[by];
  return (
    <div className="tool-note muted">
      {fill(steer.settledBy, { outcome: steer.outcome[outcome], who: visibleText(whom) })}
      {said !== "" && <p>{visibleText(said)}</p>}
      {call.asked?.kind === "plan" && <ToolInput tool={call.tool} input={call.input} />}
      {answers !== null && (
        <dl className="given-answers">
          {Object.entries(answers).map(([question, answer]) => (
            <div key={question}>
              <dt>{visibleText(question)}</dt>
              <dd>{visibleText(answer)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
