import type { DaemonStatus } from "../../serve/contract.ts";
import { groupSessions } from "../../shown/session-groups.ts";
import { useNow } from "../api/clock.ts";
import { live } from "../api/live.ts";
import { useAttentionCounts } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { Icon } from "../components/icon.tsx";
import { formatCost, formatTime } from "../i18n/format.ts";
import { requestCountSuffix } from "../i18n/request-count-suffix.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "./link.tsx";
import { useDaemonSummary } from "./use-daemon-summary.ts";
import "./status-bar.css";

/** Above this, a usage window is nearly used up. */
const NEARLY_FULL_PERCENT = 80;
const SHOWN_GROUPS = ["needYou", "busy", "parked", "idle", "lost"] as const;

/** The bar at the top: session counts, today's cost, usage limits and the connection. */
export function StatusBar() {
  const { statusBar, unit } = useStrings();
  const { sessions, connection } = useStore(live);
  const { today, lagMs, limits } = useDaemonSummary({ sessions });
  const attention = useAttentionCounts();
  const groups = groupSessions(sessions.values(), useNow());
  const counts = {
    needYou: attention.sessions,
    busy: groups.busy.length,
    parked: groups.parked.length,
    idle: groups.idle.length,
    lost: groups.lost.length,
  };
  const textOf = (key: (typeof SHOWN_GROUPS)[number]): string =>
    fill(statusBar[key], { n: counts[key] }) +
    (key === "needYou" ? requestCountSuffix(attention, unit.requests) : "");
  return (
    <header className="status-bar">
      <ul className="counts">
        {SHOWN_GROUPS.map((key) =>
          counts[key] === 0 && key !== "needYou" ? null : (
            <li key={key} className={key}>
              <Link href={`/sessions?show=${key}`} className={counts[key] === 0 ? "zero" : ""}>
                {textOf(key)}
              </Link>
            </li>
          ),
        )}
      </ul>
      {today !== null && today.micros !== null && (
        <Link href="/usage" className="today">
          {fill(statusBar.today, { cost: formatCost(today) })}
        </Link>
      )}
      {limits !== null && (
        <ul className="windows">
          <UsageWindow name={statusBar.fiveHour} usage={limits.fiveHour} />
          <UsageWindow name={statusBar.sevenDay} usage={limits.sevenDay} />
        </ul>
      )}
      {connection === "lost" ? (
        <span className="connection lost">
          <Icon name="cross" /> {statusBar.notConnected}
        </span>
      ) : (
        <Link href="/health" className={`connection ${connection}`}>
          <Icon name={connection === "live" ? "dot" : "dashed"} />{" "}
          {connection === "live" ? statusBar.live : statusBar.connecting}
          {lagMs !== null && connection === "live" && (
            <span className="lag" title={statusBar.lagTitle}>
              {fill(statusBar.lag, { s: (lagMs / 1_000).toFixed(lagMs < 10_000 ? 1 : 0) })}
            </span>
          )}
        </Link>
      )}
      <p className="sr-only" aria-live="polite">
        {counts.needYou > 0 ? textOf("needYou") : ""}
      </p>
    </header>
  );
}

/** How much of a usage window is used; nothing if the agent did not report it. */
function UsageWindow({
  name,
  usage,
}: {
  readonly name: string;
  readonly usage: DaemonStatus["limits"]["fiveHour"];
}) {
  const { statusBar } = useStrings();
  if (usage === null) return null;
  return (
    <li
      className={usage.usedPercent >= NEARLY_FULL_PERCENT ? "near" : ""}
      title={fill(statusBar.resets, { time: formatTime(usage.resetsAtIso) })}
    >
      {name} {Math.round(usage.usedPercent)}%
    </li>
  );
}
