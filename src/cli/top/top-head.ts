import { pauseText } from "../../capture/pause-text.ts";
import { type Limits, limitsText } from "../../monitor/limits.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { localTime, shortDuration } from "../../shown/duration.ts";
import { oneLine } from "../../shown/plain-text.ts";
import { spentText } from "../amounts.ts";
import { displayWidth, truncateToWidth } from "../display-width.ts";
import { sessionCountsText } from "../status-line.ts";
import type { TopData } from "./top-data.ts";
import { bar, type RowOptions } from "./top-row.ts";

const BAR_CELLS = 5;
const MIN_WIDTH_FOR_BARS = 120;

/** Who needs the user, the cost, and how current the data is. */
export function summaryLine(data: TopData, { width, now, paint }: RowOptions): string {
  const sessions: SessionSnapshot[] = [...data.sessions.values()];
  const spent = data.today === null ? null : spentText(data.today);
  const counts = sessionCountsText(sessions, now) || "no sessions running";
  const needsPerson = sessions.some((session) => session.needsPerson);
  const parts = [
    spent === null ? null : `${spent} today`,
    (width >= MIN_WIDTH_FOR_BARS ? limitBars(data.limits) : limitsText(data.limits)) || null,
    data.lagMs === null ? null : `lag ${(data.lagMs / 1_000).toFixed(1)}s`,
  ].filter((part) => part !== null);
  const name = "hookline top  ";
  const rest = parts.length === 0 ? "" : `   ${parts.join("   ")}`;
  const room = width - displayWidth(name) - displayWidth(counts);
  return (
    paint("dim", name) +
    paint(needsPerson ? "yellow" : "bold", counts) +
    truncateToWidth(rest, Math.max(0, room))
  );
}

/** Shown while the data is not live; null otherwise. */
export function sourceLine({ source, sessions }: TopData, { width, now, paint }: RowOptions): string | null {
  const warn = (text: string): string => paint("red", truncateToWidth(text, width));
  switch (source.type) {
    case "live":
      return null;
    case "connecting":
      return paint("dim", "Connecting …");
    case "away": {
      const since = shortDuration(now - source.sinceMs);
      return warn(`The daemon has not answered for ${since}; showing the last known state. Reconnecting…`);
    }
    case "database": {
      const last = [...sessions.values()].map(({ lastEventAtIso }) => lastEventAtIso).sort();
      const at = last.at(-1);
      const lastText = at === undefined ? "" : `, last event ${localTime(at, now)}`;
      return warn(
        `The daemon is not running; read from the database${lastText}. To answer requests: \`hookline up\``,
      );
    }
    case "nothing":
      return warn(`The daemon is not running, and ${oneLine(source.why)}. Run \`hookline up\``);
    default:
      return source satisfies never;
  }
}

/** Shown while not everything is recorded. */
export function pauseLines({ pauses }: TopData, { width, now, paint }: RowOptions): string[] {
  return pauses.map((pause) => paint("yellow", truncateToWidth(pauseText(pause, now), width)));
}

function limitBars({ fiveHour, sevenDay }: Limits): string {
  const limitBar = (label: string, limit: Limits["fiveHour"]): string | null =>
    limit === null ? null : `${label} ${bar(limit.usedPercent, BAR_CELLS)} ${Math.round(limit.usedPercent)}%`;
  return [limitBar("5h", fiveHour), limitBar("7d", sevenDay)].filter(Boolean).join("  ");
}
