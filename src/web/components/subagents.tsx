import { useState } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { formatDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Icon } from "./icon.tsx";

/** The running subagents of a session: one is shown directly, several behind a count. */
export function Subagents({ session, now }: { readonly session: SessionSnapshot; readonly now: number }) {
  const strings = useStrings();
  const [isOpen, setOpen] = useState(false);
  const running = session.subagents.filter(({ isRunning }) => isRunning);
  const hasSeveral = running.length > 1;
  if (running.length === 0) return null;
  return (
    <div className="subagents">
      {hasSeveral && (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span className={`turn ${isOpen ? "open" : ""}`}>
            <Icon name="right" />
          </span>
          {fill(strings.now.agents, { n: running.length })}
        </button>
      )}
      {(isOpen || !hasSeveral) && (
        <ul aria-label={fill(strings.now.agents, { n: running.length })}>
          {running.map(({ agentId, agentType, description, action, sinceIso }) => (
            <li key={agentId}>
              <strong className="agent-type">{visibleText(agentType ?? strings.steer.subagent)}</strong>
              <span className="muted cut">
                {visibleText((action?.text ?? description ?? "").split("\n")[0] ?? "")}
              </span>
              <span className="muted number">
                {formatDuration(now - Date.parse(action?.sinceIso ?? sinceIso))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
