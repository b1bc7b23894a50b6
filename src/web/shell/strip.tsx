import type { DaemonStatus } from "../../serve/contract.ts";
import { groupSessions } from "../../shown/session-groups.ts";
import { useNow } from "../api/clock.ts";
import { live } from "../api/live.ts";
import { useNeeds } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { Icon } from "../parts/icon.tsx";
import { clock, money } from "../words/amounts.ts";
import { moreRequests } from "../words/more-requests.ts";
import { fill, useWords } from "../words/words.ts";
import { Link } from "./link.tsx";
import { useAside } from "./use-aside.ts";
import "./strip.css";

/** From here on a window is about to be used up. */
const NEAR_PERCENT = 80;
const SHOWN = ["needYou", "busy", "parked", "idle", "lost"] as const;

/** One line that is always there: who needs me, what runs, what it cost, and whether this is true. */
export function Strip() {
  const { strip, unit } = useWords();
  const { sessions, connection } = useStore(live);
  const { today, lagMs, limits } = useAside({ sessions });
  const needs = useNeeds();
  const groups = groupSessions(sessions.values(), useNow());
  const counts = {
    needYou: needs.sessions,
    busy: groups.busy.length,
    parked: groups.parked.length,
    idle: groups.idle.length,
    lost: groups.lost.length,
  };
  const textOf = (key: (typeof SHOWN)[number]): string =>
    fill(strip[key], { n: counts[key] }) + (key === "needYou" ? moreRequests(needs, unit.requests) : "");
  return (
    <header className="strip">
      <ul className="counts">
        {SHOWN.map((key) =>
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
          {fill(strip.today, { cost: money(today) })}
        </Link>
      )}
      {limits !== null && (
        <ul className="windows">
          <Window name={strip.fiveHour} told={limits.fiveHour} />
          <Window name={strip.sevenDay} told={limits.sevenDay} />
        </ul>
      )}
      {connection === "lost" ? (
        <span className="connection lost">
          <Icon name="cross" /> {strip.notConnected}
        </span>
      ) : (
        <Link href="/health" className={`connection ${connection}`}>
          <Icon name={connection === "live" ? "dot" : "dashed"} />{" "}
          {connection === "live" ? strip.live : strip.connecting}
          {lagMs !== null && connection === "live" && (
            <span className="lag" title={strip.lagTitle}>
              {fill(strip.lag, { s: (lagMs / 1_000).toFixed(lagMs < 10_000 ? 1 : 0) })}
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

/** How much of one of the agent's usage windows is used up, as far as it told. */
function Window({
  name,
  told,
}: {
  readonly name: string;
  readonly told: DaemonStatus["limits"]["fiveHour"];
}) {
  const { strip } = useWords();
  if (told === null) return null;
  return (
    <li
      className={told.usedPercent >= NEAR_PERCENT ? "near" : ""}
      title={fill(strip.resets, { time: clock(told.resetsAtIso) })}
    >
      {name} {Math.round(told.usedPercent)}%
    </li>
  );
}
