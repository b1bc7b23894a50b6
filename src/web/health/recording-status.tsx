import type { DaemonStatus } from "../../serve/contract.ts";
import { useNow } from "../api/clock.ts";
import { pauseText } from "../components/pause-text.ts";
import type { Strings } from "../i18n/en.ts";
import { formatCount, formatDuration, formatShortDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { HealthBadge, type HealthTone } from "./health-badge.tsx";

const HIGH_LAG_MS = 2_000;
const OLD_SPOOL_MS = 60_000;

/** Whether events are recorded: the lag, the backlog, and what could not be ingested. */
export function RecordingStatus({ status }: { readonly status: DaemonStatus }) {
  const strings = useStrings();
  const { health } = strings;
  const now = useNow();
  const { lagMs, spoolDepth, spoolOldestMs, torn, quarantined, refused } = status;
  const rejected = quarantined + refused;
  const isOld = (spoolOldestMs ?? 0) > OLD_SPOOL_MS;
  const rows: readonly (readonly [string, HealthTone, string])[] = [
    [health.recording, ...recordingOf(status, strings)],
    [
      health.lag,
      lagMs === null ? "skipped" : lagMs > HIGH_LAG_MS ? "warn" : "ok",
      lagMs === null ? health.noLag : lagMs < 1_000 ? `${Math.round(lagMs)} ms` : formatDuration(lagMs),
    ],
    [
      health.spool,
      isOld ? "warn" : "ok",
      spoolDepth === 0
        ? health.spoolEmpty
        : fill(health.spoolWaiting, { n: spoolDepth, age: formatShortDuration(spoolOldestMs ?? 0) }),
    ],
    [
      health.rejected,
      rejected === 0 ? "ok" : "warn",
      rejected === 0
        ? health.rejectedNone
        : fill(health.rejectedCounts, { torn, bad: quarantined - torn, refused }),
    ],
    [
      health.stored,
      "ok",
      fill(health.storedText, { events: formatCount(status.events), sessions: formatCount(status.sessions) }),
    ],
    [
      health.daemon,
      "ok",
      fill(health.daemonText, {
        version: status.version,
        pid: status.pid,
        age: formatShortDuration(now - Date.parse(status.startedAtIso)),
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
              <HealthBadge tone={tone}>{text}</HealthBadge>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A pause is requested by the user, so it is not a failure. */
function recordingOf(status: DaemonStatus, strings: Strings): readonly [HealthTone, string] {
  const { health } = strings;
  const { recording, pauses } = status;
  const isPaused = pauses.some(({ project }) => project === null);
  if (!recording && !isPaused) return ["fail", health.off];
  const sentences = pauses.map((pause) => pauseText(pause, strings));
  return sentences.length === 0 ? ["ok", health.on] : ["warn", sentences.join(" ")];
}
