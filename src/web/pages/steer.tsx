import { useEffect } from "react";
import type { DrivenSession } from "../../control/control-contract.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { lastValue, useAnswer } from "../api/use-answer.ts";
import { DrivenList } from "../steer/driven-list.tsx";
import { StartForm } from "../steer/start-form.tsx";
import { useWords } from "../words/words.ts";
import "../steer/steer.css";

/** Start a session, and those that were started here. */
export function SteerPage() {
  const words = useWords();
  const [driven, again] = useAnswer<{ sessions: DrivenSession[] }>("/api/control/sessions");
  const { sessions } = useStore(live);
  const changes = [...sessions.values()]
    .filter((session) => session.driven)
    .map(({ sessionId, sinceIso }) => `${sessionId} ${sinceIso}`)
    .join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of a driven session is the reason to ask
  useEffect(() => again(), [changes, again]);
  return (
    <div className="steer-page">
      <h1>{words.pages.steer}</h1>
      <StartForm />
      <section aria-labelledby="driven">
        <h2 id="driven">{words.steer.driven}</h2>
        <DrivenList sessions={lastValue(driven)?.sessions ?? []} />
      </section>
    </div>
  );
}
