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

/** What in a folder would run, and the approval of exactly that. */
export function TrustCheck() {
  const { policy: words, approvals } = useStrings();
  const cwd = useRoute().query.get("cwd") ?? "";
  const [typed, setTyped] = useState(cwd);
  const list = useId();
  const sessions = useStore(live).sessions.values();
  const folders = [...new Set([...sessions].flatMap(({ projectPath }) => projectPath ?? []))].sort();
  return (
    <>
      <p className="muted">{words.trustHint}</p>
      <ApprovalList />
      <section className="trust-check" aria-labelledby="trust-check">
        <h2 id="trust-check">{approvals.check}</h2>
        <form
          className="acts"
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
            aria-label={words.cwd}
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
            {words.check}
          </button>
        </form>
        {cwd !== "" && <Checked key={cwd} cwd={cwd} />}
      </section>
    </>
  );
}

function Checked({ cwd }: { readonly cwd: string }) {
  const { policy: words, app } = useStrings();
  const [asked, again] = useFetch<TrustReport>(`/api/control/trust?cwd=${encodeURIComponent(cwd)}`);
  const [trouble, setTrouble] = useState<string | null>(null);
  const act = async (work: Promise<unknown>): Promise<void> => {
    setTrouble(null);
    await work.catch((error: Error) => setTrouble(error.message));
    again();
  };
  if (asked.type === "failed") return <p className="trouble">{visibleText(asked.error.message)}</p>;
  if (asked.type === "asking" && asked.last === null) return <p className="muted">{app.loading}</p>;
  const report = asked.type === "answered" ? asked.value : asked.last;
  if (report === null) return null;
  const { root, hash, trusted, changed, approvedAtIso, items } = report;
  if (hash === null) return <p>{fill(words.nothingToTrust, { root: visibleText(root) })}</p>;
  return (
    <div className="trust-report">
      <p className={trusted ? "trusted" : "untrusted"}>
        {trusted
          ? `✓ ${fill(words.trusted, { when: approvedAtIso === null ? "" : formatDateTime(approvedAtIso) })}`
          : `◆ ${changed ? words.changedSince : words.untrusted}`}
      </p>
      <ul className="panel trust-items">
        {items.map(({ file, kind, lines, problem }) => (
          <li key={`${kind} ${file}`}>
            <h2>
              <span className="badge">{words.kinds[kind]}</span> <code>{visibleText(file)}</code>
            </h2>
            {lines.length > 0 && (
              <CodeText text={lines.map(daemonText).join("\n")} lines={Number.POSITIVE_INFINITY} />
            )}
            {problem !== null && <p className="trouble">{visibleText(problem)}</p>}
          </li>
        ))}
      </ul>
      <p className="acts">
        {trusted ? (
          <button
            type="button"
            className="button danger"
            onClick={() => void act(send("DELETE", `/api/control/trust?cwd=${encodeURIComponent(cwd)}`))}
          >
            {words.revoke}
          </button>
        ) : (
          <button
            type="button"
            className="button primary"
            onClick={() => void act(send("POST", "/api/control/trust", { cwd, hash }))}
          >
            {words.approve}
          </button>
        )}
        <code className="muted cut">{hash}</code>
      </p>
      {trouble !== null && (
        <p className="trouble" role="alert">
          {visibleText(trouble)}
        </p>
      )}
    </div>
  );
}
