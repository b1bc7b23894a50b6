import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { standingOf } from "../parts/standing.ts";
import { clock } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { Link } from "./link.tsx";
import "./strip.css";

/** One line that is always there: who needs me, what runs, what it cost, and whether this is true. */
export function Strip() {
  const { strip } = useWords();
  const { sessions, connection, heardAtMs } = useStore(live);
  const counts = { needYou: 0, busy: 0, parked: 0, idle: 0, lost: 0 };
  let micros = 0;
  const midnight = new Date().setHours(0, 0, 0, 0);
  for (const session of sessions.values()) {
    const { key } = standingOf(session);
    if (session.needsPerson) counts.needYou++;
    else if (key === "busy" || key === "compacting" || key === "rate_limited") counts.busy++;
    else if (key === "parked") counts.parked++;
    else if (key === "lost") counts.lost++;
    else if (key === "idle" || key === "interactable") counts.idle++;
    if (Date.parse(session.startedAtIso) >= midnight) micros += session.cost.micros ?? 0;
  }
  return (
    <header className="strip">
      <ul className="counts">
        {(["needYou", "busy", "parked", "idle", "lost"] as const).map((key) =>
          counts[key] === 0 && key !== "needYou" ? null : (
            <li key={key}>
              <Link
                href={key === "needYou" ? "/" : `/sessions?show=${key}`}
                className={`${key} ${counts[key] === 0 ? "zero" : ""}`}
              >
                {fill(strip[key], { n: counts[key] })}
              </Link>
            </li>
          ),
        )}
      </ul>
      <span className="muted today">
        {fill(strip.today, { cost: `~$${(micros / 1_000_000).toFixed(2)}` })}
      </span>
      {connection === "lost" ? (
        <span className="connection lost" role="alert">
          ✕{" "}
          {fill(strip.lostConnection, {
            time: heardAtMs === 0 ? "–" : clock(new Date(heardAtMs).toISOString()),
          })}
        </span>
      ) : (
        <span className={`connection ${connection}`}>
          <span aria-hidden="true">●</span> {connection === "live" ? strip.live : strip.connecting}
        </span>
      )}
      <p className="sr-only" aria-live="polite">
        {counts.needYou > 0 ? fill(strip.needYou, { n: counts.needYou }) : ""}
      </p>
    </header>
  );
}
