import { useId, useState } from "react";
import type { TrustReport } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { useFetch } from "../api/use-fetch.ts";
import { CodeText } from "../components/code-text.tsx";
import { daemonText } from "../i18n/daemon-text.ts";
import { formatDateTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { go, useRoute } from "../shell/router.ts";
import { ApprovalList } from "./approval-list.tsx";

/** What would run in a folder, and its approval. */
export function TrustCheck() {
  const { policy: strings, approvals } = useStrings();
  const cwd = useRoute().query.get("cwd") ?? "";
  const [typed, setTyped] = useState(cwd);
  const list = useId();
  const sessions = useStore(live).sessions.values();
  const folders = [...new Set([...sessions].flatMap(({ projectPath }) => projectPath ?? []))].sort();
  return (
    <>
      <p className="muted">{strings.trustHint}</p>
      <ApprovalList />
      <section className="trust-check" aria-labelledby="trust-check">
        <h2 id="trust-check">{approvals.check}</h2>
        <form
          className="button-row"
          onSubmit={(event) => {
            event.preventDefault();
            go(`/policy?tab=trust&cwd=${encodeURIComponent(typed.trim())}`, "replace");
          }}
        >
          <input
            className="field mono"
            data-key="/"
            required
            pattern="/.*"
            placeholder="/home/…"
            aria-label={strings.cwd}
            list={list}
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <datalist id={list}>
            {folders.map((folder) => (
              <option key={folder} value={folder} />
            ))}
          </datalist>
          <button type="submit" className="button">
            {strings.check}
          </button>
        </form>
        {cwd !== "" && <TrustResult key={cwd} cwd={cwd} />}
      </section>
    </>
  );
}

function TrustResult({ cwd }: { readonly cwd: string }) {
  const { policy: strings, app } = useStrings();
  const [response, refetch] = useFetch<TrustReport>(`/api/control/trust?cwd=${encodeURIComponent(cwd)}`);
  const [error, setError] = useState<string | null>(null);
  const run = async (request: Promise<unknown>): Promise<void> => {
    setError(null);
    await request.catch((error: Error) => setError(error.message));
    refetch();
  };
  if (response.type === "failed") return <p className="error-text">{visibleText(response.error.message)}</p>;
  if (response.type === "loading" && response.last === null) return <p className="muted">{app.loading}</p>;
  const report = response.type === "loaded" ? response.value : response.last;
  if (report === null) return null;
  const { root, hash, trusted, changed, approvedAtIso, items } = report;
  if (hash === null) return <p>{fill(strings.nothingToTrust, { root: visibleText(root) })}</p>;
  return (
    <div className="trust-report">
      <p className={trusted ? "trusted" : "untrusted"}>
        {trusted
          ? `✓ ${fill(strings.trusted, { when: approvedAtIso === null ? "" : formatDateTime(approvedAtIso) })}`
          : `◆ ${changed ? strings.changedSince : strings.untrusted}`}
      </p>
      <ul className="panel trust-items">
        {items.map(({ file, kind, lines, problem }) => (
          <li key={`${kind} ${file}`}>
            <h2>
              <span className="badge">{strings.kinds[kind]}</span> <code>{visibleText(file)}</code>
            </h2>
            {lines.length > 0 && (
              <CodeText text={lines.map(daemonText).join("\n")} lines={Number.POSITIVE_INFINITY} />
            )}
            {problem !== null && <p className="error-text">{visibleText(problem)}</p>}
          </li>
        ))}
      </ul>
      <p className="button-row">
        {trusted ? (
          <button
            type="button"
            className="button danger"
            onClick={() => void run(send("DELETE", `/api/control/trust?cwd=${encodeURIComponent(cwd)}`))}
          >
            {strings.revoke}
          </button>
        ) : (
          <button
            type="button"
            className="button primary"
            onClick={() => void run(send("POST", "/api/control/trust", { cwd, hash }))}
          >
            {strings.approve}
          </button>
        )}
        <code className="muted cut">{hash}</code>
      </p>
      {error !== null && (
        <p className="error-text" role="alert">
          {visibleText(error)}
        </p>
      )}
    </div>
  );
}
