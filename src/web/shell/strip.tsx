import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { countGroups } from "../parts/groups.ts";
import { Icon } from "../parts/icon.tsx";
import { money } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { Link } from "./link.tsx";
import { useAside } from "./use-aside.ts";
import "./strip.css";

const SHOWN = ["needYou", "busy", "parked", "idle", "lost"] as const;

/** One line that is always there: who needs me, what runs, what it cost, and whether this is true. */
export function Strip() {
  const { strip } = useWords();
  const { sessions, connection } = useStore(live);
  const { today, lagMs } = useAside({ sessions });
  const counts = countGroups(sessions.values());
  return (
    <header className="strip">
      <ul className="counts">
        {SHOWN.map((key) =>
          counts[key] === 0 && key !== "needYou" ? null : (
            <li key={key} className={key}>
              <Link href={`/sessions?show=${key}`} className={counts[key] === 0 ? "zero" : ""}>
                {fill(strip[key], { n: counts[key] })}
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
        {counts.needYou > 0 ? fill(strip.needYou, { n: counts.needYou }) : ""}
      </p>
    </header>
  );
}
