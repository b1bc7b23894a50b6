import { useEffect, useState } from "react";
import { isSampleSession } from "../../event/sample.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import type { DoctorAnswer } from "../../serve/settings-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CopyButton } from "../session/copy-button.tsx";
import { Icon } from "./icon.tsx";
import { loadSample, removeSample } from "./sample.ts";
import "./first-run.css";

const REFRESH_MS = 5_000;
const COMMAND = "hookline install";

/** Setup steps for a home without recordings. */
export function FirstRun() {
  const strings = useStrings();
  const { firstRun } = strings;
  const { connection, sessions } = useStore(live);
  const [statusResponse, refetchStatus] = useFetch<DaemonStatus>("/api/status");
  const [doctorResponse, refetchDoctor] = useFetch<DoctorAnswer>("/api/doctor");
  const [error, setError] = useState<string | null>(null);
  const status = lastValue(statusResponse);
  const hasHooks = isOk(lastValue(doctorResponse), "hooks_installed");
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      refetchStatus();
      if (hasHooks !== true && doctorResponse.type !== "loading") refetchDoctor();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refetchStatus, refetchDoctor, hasHooks, doctorResponse.type]);
  const samples = [...sessions.keys()].filter(isSampleSession).length;
  // Past sessions mean that setup is done.
  if (status === null || status.sessions > 0) return null;
  const load = (): void => {
    setError(null);
    loadSample().catch((error: Error) => setError(error.message));
  };
  const remove = (): void => {
    removeSample().then(refetchStatus, (error: Error) => setError(error.message));
  };
  return (
    <section className="first-run panel" aria-labelledby="first-run">
      <h2 id="first-run">{firstRun.title}</h2>
      <ol>
        <Step isDone={connection === "live"} name={firstRun.daemon} hint={firstRun.daemonHint} />
        <Step isDone={hasHooks === true} name={firstRun.hooks} hint={firstRun.hooksHint}>
          {hasHooks !== true && (
            <span className="command">
              <code>{COMMAND}</code>
              <CopyButton text={COMMAND} label={strings.app.copy} letter="c" />
            </span>
          )}
        </Step>
        <Step isDone={false} name={firstRun.event} hint={firstRun.eventHint} />
      </ol>
      <p className="sample">
        <span className="muted">{samples === 0 ? firstRun.sampleHint : firstRun.sampleLoaded}</span>
        <button type="button" className="button" onClick={samples === 0 ? load : remove}>
          {samples === 0 ? firstRun.sample : firstRun.removeSample}
        </button>
      </p>
      {error !== null && (
        <p className="error-text" role="alert">
          {fill(strings.app.failed, { why: visibleText(error) })}
        </p>
      )}
    </section>
  );
}

function isOk(report: DoctorAnswer | null, code: string): boolean | null {
  const check = report?.checks.find((candidate) => candidate.code === code);
  return check === undefined ? null : check.status === "ok";
}

function Step({
  isDone,
  name,
  hint,
  children,
}: {
  readonly isDone: boolean;
  readonly name: string;
  readonly hint: string;
  readonly children?: React.ReactNode;
}) {
  const { firstRun } = useStrings();
  return (
    <li className={isDone ? "done" : ""}>
      <span className="tick" role="img" aria-label={isDone ? firstRun.done : firstRun.toDo}>
        <Icon name={isDone ? "check" : "ring"} />
      </span>
      <span className="what">
        <strong>{name}</strong>
        {!isDone && <span className="muted">{hint}</span>}
        {children}
      </span>
    </li>
  );
}
