import type { DaemonStatus } from "../../serve/contract.ts";
import { useNow } from "../api/clock.ts";
import { pauseWords } from "../parts/pause-words.ts";
import { age, count, shortAge } from "../words/amounts.ts";
import type { Words } from "../words/en.ts";
import { fill, useWords } from "../words/words.ts";
import { Mark, type Tone } from "./mark.tsx";

const LATE_MS = 2_000;
const OLD_MS = 60_000;

/** Whether what happens is taken down: how far behind, what waits, what could not be taken. */
export function RecordingFacts({ status }: { readonly status: DaemonStatus }) {
  const words = useWords();
  const { health } = words;
  const now = useNow();
  const { lagMs, spoolDepth, spoolOldestMs, torn, quarantined, refused } = status;
  const aside = quarantined + refused;
  const isOld = (spoolOldestMs ?? 0) > OLD_MS;
  const rows: readonly (readonly [string, Tone, string])[] = [
    [health.recording, ...recordingOf(status, words)],
    [
      health.lag,
      lagMs === null ? "skipped" : lagMs > LATE_MS ? "warn" : "ok",
      lagMs === null ? health.noLag : lagMs < 1_000 ? `${Math.round(lagMs)} ms` : age(lagMs),
    ],
    [
      health.spool,
      isOld ? "warn" : "ok",
      spoolDepth === 0
        ? health.spoolEmpty
        : fill(health.spoolWaits, { n: spoolDepth, age: shortAge(spoolOldestMs ?? 0) }),
    ],
    [
      health.aside,
      aside === 0 ? "ok" : "warn",
      aside === 0 ? health.asideNone : fill(health.asideSome, { torn, bad: quarantined - torn, refused }),
    ],
    [
      health.kept,
      "ok",
      fill(health.keptText, { events: count(status.events), sessions: count(status.sessions) }),
    ],
    [
      health.daemon,
      "ok",
      fill(health.daemonText, {
        version: status.version,
        pid: status.pid,
        age: shortAge(now - Date.parse(status.startedAtIso)),
      }),
    ],
  ];
  return (
    <section aria-labelledby="health-recording">
      <h2 id="health-recording">{health.recordingTitle}</h2>
      <dl className="panel facts">
        {rows.map(([name, tone, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Mark tone={tone}>{text}</Mark>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A pause is a person's wish, and no failure. */
function recordingOf(status: DaemonStatus, words: Words): readonly [Tone, string] {
  const { health } = words;
  const { recording, pauses } = status;
  const isPaused = pauses.some(({ project }) => project === null);
  if (!recording && !isPaused) return ["fail", health.off];
  const sentences = pauses.map((pause) => pauseWords(pause, words));
  return sentences.length === 0 ? ["ok", health.on] : ["warn", sentences.join(" ")];
}
