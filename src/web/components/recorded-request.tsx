import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { answered } from "../api/cards.ts";
import { useStore } from "../api/store.ts";
import { useStrings } from "../i18n/strings.ts";
import { approvalsEnabled } from "../shell/use-daemon-summary.ts";
import { ScrollBox } from "./request-body.tsx";
import "./recorded-request.css";

/** A request known only from the record. It is incomplete, and cannot be answered from here. */
export function RecordedRequest({
  id,
  recorded,
}: {
  readonly id: string;
  readonly recorded: SessionSnapshot["requests"][number];
}) {
  const { card } = useStrings();
  const canApprove = useStore(approvalsEnabled);
  const isAnswered = useStore(answered).has(id);
  const { toolName, agentId, agentType, description, text, questions, kind } = recorded;
  return (
    <div className="recorded-request">
      <ScrollBox label={card.requestLabel}>
        {toolName !== null && <p className="tool">{visibleText(toolName)}</p>}
        {agentId !== null && (
          <p>
            <span className="muted">{card.subagent}</span>{" "}
            <code>{visibleText(`${agentType ?? ""} ${agentId}`.trim())}</code>
          </p>
        )}
        {description !== null && (
          <p>
            <span className="muted">{card.agentSays}</span> {visibleText(description)}
          </p>
        )}
        {kind === "question" && questions.length > 0 ? (
          <ul>
            {questions.map(({ question, options }) => (
              <li key={question}>
                <strong>{visibleText(question)}</strong>
                <span className="muted"> {options.map(({ label }) => visibleText(label)).join(" · ")}</span>
              </li>
            ))}
          </ul>
        ) : (
          text !== "" && <pre className="code-text">{visibleText(text)}</pre>
        )}
      </ScrollBox>
      <p className="muted hint">{card.recorded}</p>
      <p className="hint">
        <strong>{isAnswered ? card.answered : card.terminalOnly}</strong>{" "}
        {canApprove === false && !isAnswered && (
          <span className="muted">
            {card.terminalHint} <code>hookline install --approve</code>
          </span>
        )}
      </p>
    </div>
  );
}
