import { useEffect } from "react";
import type { DrivenSession } from "../../control/control-contract.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { useStrings } from "../i18n/strings.ts";
import { DrivenList } from "../steer/driven-list.tsx";
import { StartForm } from "../steer/start-form.tsx";
import "../steer/steer.css";

/** Starts a session, and lists those started here. */
export function SteerPage() {
  const strings = useStrings();
  const [response, refetch] = useFetch<{ sessions: DrivenSession[] }>("/api/control/sessions");
  const { sessions } = useStore(live);
  const changes = [...sessions.values()]
    .filter((session) => session.driven)
    .map(({ sessionId, sinceIso }) => `${sessionId} ${sinceIso}`)
    .join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetched when a driven session changes
  useEffect(() => refetch(), [changes, refetch]);
  return (
    <div className="steer-page">
      <h1>{strings.pages.steer}</h1>
      <StartForm />
      <section aria-labelledby="driven">
        <h2 id="driven">{strings.steer.driven}</h2>
        <DrivenList sessions={lastValue(response)?.sessions ?? []} />
      </section>
    </div>
  );
}
