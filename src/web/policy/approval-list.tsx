import { useState } from "react";
import type { TrustApprovals } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { formatDateTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";

const SHORT_HASH = 12;

/** What was approved, when, and the hash of its content; each can be revoked. */
export function ApprovalList() {
  const { approvals: strings, app } = useStrings();
  const [response] = useFetch<TrustApprovals>("/api/control/trust/approvals");
  const [changed, setChanged] = useState<TrustApprovals | null>(null);
  const [error, setError] = useState<string | null>(null);
  const listed = (changed ?? lastValue(response))?.approvals;
  const revoke = (folder: string): void => {
    setError(null);
    send<TrustApprovals>("DELETE", `/api/control/trust/approvals?folder=${encodeURIComponent(folder)}`).then(
      setChanged,
      (error: Error) => setError(error.message),
    );
  };
  return (
    <section aria-labelledby="approvals">
      <h2 id="approvals">{strings.title}</h2>
      {response.type === "failed" && <p className="error-text">{visibleText(response.error.message)}</p>}
      {listed === undefined && response.type === "loading" && <p className="muted">{app.loading}</p>}
      {listed?.length === 0 && <p className="muted">{strings.none}</p>}
      {listed !== undefined && listed.length > 0 && (
        <ul className="panel approval-list">
          {listed.map(({ folder, hash, approvedAtIso }) => (
            <li key={folder} data-row tabIndex={-1}>
              <span className="what">
                <code className="folder">{visibleText(folder)}</code>
                <span className="about muted">
                  <time dateTime={approvedAtIso}>
                    {fill(strings.approvedOn, { when: formatDateTime(approvedAtIso) })}
                  </time>
                  <span title={visibleText(hash)}>
                    {fill(strings.hash, { hash: visibleText(hash.slice(0, SHORT_HASH)) })}
                  </span>
                </span>
              </span>
              <span className="button-row">
                <Link className="button small" href={`/policy?tab=trust&cwd=${encodeURIComponent(folder)}`}>
                  {strings.show}
                </Link>
                <button
                  type="button"
                  className="button small danger"
                  aria-label={fill(strings.revokeOf, { folder: visibleText(folder) })}
                  onClick={() => revoke(folder)}
                >
                  {strings.revoke}
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {error !== null && (
        <p className="error-text" role="alert">
          {visibleText(error)}
        </p>
      )}
    </section>
  );
}
