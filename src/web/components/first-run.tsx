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

/** For a home without recordings: what is done, what is next, and one command. */
export function FirstRun() {
  const words = useStrings();
  const { firstRun } = words;
  const { connection, sessions } = useStore(live);
  const [statusAsked, askStatus] = useFetch<DaemonStatus>("/api/status");
  const [doctorAsked, askDoctor] = useFetch<DoctorAnswer>("/api/doctor");
  const [trouble, setTrouble] = useState<string | null>(null);
  const status = lastValue(statusAsked);
  const hasHooks = isOk(lastValue(doctorAsked), "hooks_installed");
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      askStatus();
      if (hasHooks !== true && doctorAsked.type !== "asking") askDoctor();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [askStatus, askDoctor, hasHooks, doctorAsked.type]);
  const samples = [...sessions.keys()].filter(isSampleSession).length;
  // A user with past sessions has only been away for a long time.
  if (status === null || status.sessions > 0) return null;
  const load = (): void => {
    setTrouble(null);
    loadSample().catch((error: Error) => setTrouble(error.message));
  };
  const remove = (): void => {
    removeSample().then(askStatus, (error: Error) => setTrouble(error.message));
  };
  return (
    <section className="first-run panel" aria-labelledby="first-run">
      <h2 id="first-run">{firstRun.title}</h2>
      <ol>
        <Step isDone={connection === "live"} name={firstRun.daemon} how={firstRun.daemonHint} />
        <Step isDone={hasHooks === true} name={firstRun.hooks} how={firstRun.hooksHint}>
          {hasHooks !== true && (
            <span className="command">
              <code>{COMMAND}</code>
              <CopyButton text={COMMAND} label={words.app.copy} letter="c" />
            </span>
          )}
        </Step>
        <Step isDone={false} name={firstRun.event} how={firstRun.eventHint} />
      </ol>
      <p className="sample">
        <span className="muted">{samples === 0 ? firstRun.sampleHint : firstRun.sampleLoaded}</span>
        <button type="button" className="button" onClick={samples === 0 ? load : remove}>
          {samples === 0 ? firstRun.sample : firstRun.removeSample}
        </button>
      </p>
      {trouble !== null && (
        <p className="trouble" role="alert">
          {fill(words.app.failed, { why: visibleText(trouble) })}
        </p>
      )}
    </section>
  );
}

function isOk(found: DoctorAnswer | null, code: string): boolean | null {
  const check = found?.checks.find((one) => one.code === code);
  return check === undefined ? null : check.status === "ok";
}

function Step({
  isDone,
  name,
  how,
  children,
}: {
  readonly isDone: boolean;
  readonly name: string;
  readonly how: string;
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
        {!isDone && <span className="muted">{how}</span>}
        {children}
      </span>
    </li>
  );
}
