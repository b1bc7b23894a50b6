import { useRef } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { cards } from "../api/cards.ts";
import { textKey } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { RequestBody } from "../parts/request-body.tsx";
import { scrollByKeys } from "../parts/scroll-by-keys.ts";
import { useSeen } from "../parts/use-seen.ts";
import { fill, useWords } from "../words/words.ts";
import type { Asked, Call, Settled } from "./chat-items.ts";
import { Given } from "./given.tsx";

/** A request at its place in the conversation, with its answers where the request itself is here. */
export function AskedHere({ call, asked }: { readonly call: Call; readonly asked: Asked }) {
  const { steer, card: words } = useWords();
  const { tool, input } = call;
  const { requestId: key } = asked;
  const box = useRef<HTMLElement>(null);
  // By its id and nothing else: what is recorded of a request is never shown above another one's buttons.
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
          <Given tool={tool} input={input} />
          <p className="muted hint">{words.recorded}</p>
        </>
      ) : (
        <RequestBody key={card.id} card={card} box={box} />
      )}
    </section>
  );
}

/** How a request ended, and by whom. */
export function SettledLine({ call, settled }: { readonly call: Call; readonly settled: Settled }) {
  const { steer } = useWords();
  const { outcome, by, who, rule, answers } = settled;
  const said = outcome === "deny" ? (call.output.split("\n")[0] ?? "") : "";
  const whom =
    by === "user" ? (who ?? steer.by.user) : by === "rule" ? (rule ?? steer.by.rule) : steer.by[by];
  return (
    <div className="tool-note muted">
      {fill(steer.settledBy, { outcome: steer.outcome[outcome], who: visibleText(whom) })}
      {said !== "" && <p>{visibleText(said)}</p>}
      {call.asked?.kind === "plan" && <Given tool={call.tool} input={call.input} />}
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
