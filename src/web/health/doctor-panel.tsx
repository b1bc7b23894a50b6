import { useState } from "react";
import type { DoctorAnswer } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { HealthBadge } from "./health-badge.tsx";
import { WithCode } from "./with-code.tsx";

type Check = DoctorAnswer["checks"][number];

const PROBLEM_STATUSES: readonly Check["status"][] = ["fail", "warn"];

/** The findings of `hookline doctor`: problems first, each with its fix; safe fixes can be run from here. */
export function DoctorPanel() {
  const strings = useStrings();
  const { health } = strings;
  const [response, refetch] = useFetch<DoctorAnswer>("/api/doctor");
  const [fixed, setFixed] = useState<DoctorAnswer | null>(null);
  const [state, setState] = useState<"idle" | "fixing" | { readonly why: string }>("idle");
  const report = fixed ?? lastValue(response);
  const isBusy = response.type === "loading" || state === "fixing";
  const fix = (): void => {
    setState("fixing");
    send<DoctorAnswer>("POST", "/api/doctor/fix").then(
      (answer) => {
        setFixed(answer);
        setState("idle");
      },
      (error: Error) => setState({ why: error.message }),
    );
  };
  const runAgain = (): void => {
    setFixed(null);
    setState("idle");
    refetch();
  };
  const problems = PROBLEM_STATUSES.flatMap(
    (status) => report?.checks.filter((check) => check.status === status) ?? [],
  );
  const passed = report?.checks.filter(({ status }) => status === "ok" || status === "skipped") ?? [];
  const fixable = problems.filter((check) => check.fixable).length;
  return (
    <section aria-labelledby="health-doctor" aria-busy={isBusy}>
      <div className="section-head">
        <h2 id="health-doctor">{health.doctor}</h2>
        <span className="end">
          {fixable > 0 && (
            <button type="button" className="button primary" disabled={isBusy} onClick={fix}>
              {state === "fixing" ? health.fixing : fill(health.fix, { n: fixable })}
            </button>
          )}
          <button type="button" className="button" disabled={isBusy} onClick={runAgain} data-key="r">
            {response.type === "loading" ? health.checking : health.checkAgain}
          </button>
        </span>
      </div>
      {typeof state === "object" && (
        <p className="error-text" role="alert">
          {fill(strings.app.failed, { why: visibleText(state.why) })}
        </p>
      )}
      {response.type === "failed" && report === null && (
        <p className="error-text" role="alert">
          {fill(strings.app.failed, { why: visibleText(response.error.message) })}
        </p>
      )}
      {fixed !== null && fixed.fixed.length > 0 && (
        <ul className="panel checks fixed" aria-live="polite">
          {fixed.fixed.map(({ code, did }) => (
            <li key={code}>
              <HealthBadge tone="ok">{visibleText(did)}</HealthBadge>
            </li>
          ))}
        </ul>
      )}
      <div className="panel checks-panel">
        {report === null && <p className="muted none">{health.checking}</p>}
        {problems.length > 0 && (
          <ul className="checks">
            {problems.map((check) => (
              <CheckRow key={check.code} check={check} />
            ))}
          </ul>
        )}
        {passed.length > 0 && (
          <details className="fine">
            <summary>
              {problems.length > 0 ? (
                fill(health.passed, { n: passed.length })
              ) : (
                <HealthBadge tone="ok">{fill(health.allPassed, { n: passed.length })}</HealthBadge>
              )}
            </summary>
            <ul className="checks">
              {passed.map((check) => (
                <CheckRow key={check.code} check={check} />
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  );
}

function CheckRow({ check }: { readonly check: Check }) {
  const { health } = useStrings();
  return (
    <li className={check.status} data-row tabIndex={-1}>
      <HealthBadge tone={check.status}>
        <span className="sr-only">{health.status[check.status]}: </span>
        {visibleText(daemonText(check.found))}
      </HealthBadge>
      {check.remedy !== null && (
        <p className="remedy muted">
          <WithCode text={daemonText(check.remedy)} />
        </p>
      )}
      <code className="code muted">{visibleText(check.code)}</code>
    </li>
  );
}
