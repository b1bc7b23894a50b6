import { useRef } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { cards } from "../api/cards.ts";
import { useStore } from "../api/store.ts";
import { AnswerCard } from "../parts/answer-card.tsx";
import { useSeen } from "../parts/use-seen.ts";
import { fill, useWords } from "../words/words.ts";
import type { Asked, Call, Settled } from "./chat-items.ts";
import { Given } from "./given.tsx";

/** A request at its place in the conversation, with its answers; a lost one can be asked again. */
export function AskedHere({
  call,
  asked,
  sessionId,
}: {
  readonly call: Call;
  readonly asked: Asked;
  readonly sessionId: string;
}) {
  const { steer } = useWords();
  const { key, tool, input, settled } = call;
  const waiting = useStore(cards);
  const box = useRef<HTMLElement>(null);
  const isSeen = useSeen(box, key);
  const isLost = settled?.outcome === "lost";
  // Of a private turn the card alone has what is asked: nothing of it is kept.
  const card = waiting.find(({ id }) => id === key);
  const words = { permission: steer.asks, plan: steer.asksPlan, question: steer.asksQuestion };
  const questions = [...(card?.questions ?? asked.questions)];
  return (
    <section
      ref={box}
      className="asked-here"
      data-row
      data-answerable={isSeen ? "yes" : "no"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys answer the card that has the focus
      tabIndex={0}
      aria-label={words[asked.kind]}
    >
      <p className="asked-head">
        <strong>{visibleText(asked.agentType ?? (asked.kind === "permission" ? tool : steer.agent))}</strong>{" "}
        {words[asked.kind]}
      </p>
      {asked.kind !== "question" && (
        <Given tool={tool} input={card?.input ?? input} plan={card?.plan ?? null} />
      )}
      {(asked.reason ?? "") !== "" && (
        <p className="muted hint">
          {visibleText(asked.reason ?? "")}
          {asked.rule !== null && ` (${visibleText(asked.rule)})`}
        </p>
      )}
      <AnswerCard
        card={{
          id: key,
          sessionId,
          kind: asked.kind,
          toolName: tool,
          questions,
          status: isLost ? "lost" : "pending",
        }}
      />
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
