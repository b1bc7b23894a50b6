import type { ClaudeReport } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";

/** Shown before anything is spent: the credentials in use and who is billed, or why nothing can start. */
export function BillingPanel({
  report,
  isSubscription,
  onSubscription,
}: {
  readonly report: ClaudeReport;
  readonly isSubscription: boolean;
  readonly onSubscription: (use: boolean) => void;
}) {
  const { steer } = useStrings();
  const { sdk, claude, login, usable, billing } = report;
  const problems = [sdk.message, claude.message].filter((message) => message !== null);
  return (
    <section className={`billing-panel panel ${usable ? "" : "blocked"}`} aria-labelledby="billing-panel">
      <h2 id="billing-panel">{steer.billing}</h2>
      {!usable && <p className="blocked-label">! {steer.cannotStart}</p>}
      <p>{visibleText(daemonText(billing))}</p>
      {problems.map((message) => (
        <p key={message} className="muted">
          {visibleText(daemonText(message))}
        </p>
      ))}
      {claude.version !== null && (
        <p className="muted">{fill(steer.runsOn, { version: visibleText(claude.version) })}</p>
      )}
      {login === "subscription" && (
        <label className="check">
          <input
            type="checkbox"
            checked={isSubscription}
            onChange={(event) => onSubscription(event.target.checked)}
          />
          {steer.useSubscription}
        </label>
      )}
    </section>
  );
}
