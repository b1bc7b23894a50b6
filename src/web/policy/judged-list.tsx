import type { ReactNode } from "react";
import type { JudgedCall } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { formatDay, formatTime } from "../i18n/format.ts";
import { Link } from "../shell/link.tsx";
import { VerdictBadge } from "./verdict-badge.tsx";

export type JudgedRow = Pick<
  JudgedCall,
  "atIso" | "sessionId" | "toolUseId" | "toolName" | "text" | "verdict" | "rule" | "reason"
>;

/** Calls with their verdict, rule and reason; a row opens the session. */
export function JudgedList<T extends JudgedRow>({
  calls,
  renderExtra,
}: {
  readonly calls: readonly T[];
  readonly renderExtra?: (call: T) => ReactNode;
}) {
  return (
    <ul className="panel judged-list">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call may be judged twice within a millisecond
        <li key={`${call.atIso} ${call.toolUseId} ${index}`}>
          <Link href={`/s/${encodeURIComponent(call.sessionId)}`} className="judged" data-row>
            <VerdictBadge verdict={call.verdict} />
            <span className="call">
              <span className="cut">
                <strong>{visibleText(call.toolName ?? "")}</strong>{" "}
                <code>{visibleText(call.text ?? "")}</code>
              </span>
              <span className="cut muted">
                {visibleText(daemonText(call.reason))} <code>{visibleText(call.rule)}</code>
              </span>
            </span>
            {renderExtra?.(call)}
            <time className="muted number" dateTime={call.atIso}>
              {formatDay(call.atIso)} {formatTime(call.atIso).slice(0, 5)}
            </time>
          </Link>
        </li>
      ))}
    </ul>
  );
}
