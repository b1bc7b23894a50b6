import { shortModelName } from "../../agents/model-name.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import type { UsageDay, UsagePart, UsageReport } from "../../serve/usage-contract.ts";
import { microsText } from "../../shown/cost-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { Icon } from "../components/icon.tsx";
import { titleOf } from "../components/session-status.ts";
import { baseName, formatCost, formatCount, formatDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { useAllSessions } from "../sessions/all-sessions.ts";
import { Link } from "../shell/link.tsx";
import { formatDayName, isActiveOn, tokenSum } from "./usage-days.ts";

const MAX_SESSIONS = 20;

/** One day: what it cost, by model and by project, and the sessions that were active. */
export function DayPanel({
  day,
  usage,
  since,
  by,
  onClose,
}: {
  readonly day: string;
  readonly usage: UsageDay | undefined;
  readonly since: string;
  /** How `usage` is split; the other split is fetched. */
  readonly by: "model" | "project";
  readonly onClose: () => void;
}) {
  const { usage: strings, app } = useStrings();
  const otherSplit = by === "model" ? "project" : "model";
  const [response] = useFetch<UsageReport>(`/api/usage?since=${since}&by=${otherSplit}`);
  const otherParts = lastValue(response)?.days.find((usageDay) => usageDay.day === day)?.parts ?? [];
  const { sessions } = useAllSessions();
  const active = [...sessions.values()].filter((session) => isActiveOn(session, day)).sort(byCost);
  const parts = { [by]: usage?.parts ?? [], [otherSplit]: otherParts };
  return (
    <section className="day-panel panel" aria-labelledby="usage-day">
      <header>
        <h2 id="usage-day">{formatDayName(day)}</h2>
        <p className="muted">
          {usage === undefined
            ? strings.nothingThatDay
            : [
                usage.costMicros === null ? "–" : microsText(usage.costMicros),
                fill(strings.tokenCount, { n: formatCount(tokenSum(usage.tokens)) }),
                fill(strings.turnCount, { n: usage.turns }),
                ...(usage.waitMs === 0 ? [] : [`${strings.waited} ${formatDuration(usage.waitMs)}`]),
              ].join(" · ")}
        </p>
        <button
          type="button"
          className="button bare small icon-button"
          aria-label={app.close}
          onClick={onClose}
        >
          <Icon name="cross" />
        </button>
      </header>
      <div className="splits">
        <Parts title={strings.models} parts={parts["model"] ?? []} name={shortModelName} />
        <Parts title={strings.projects} parts={parts["project"] ?? []} name={baseName} />
        <Sessions sessions={active} />
      </div>
    </section>
  );
}

function Parts({
  title,
  parts,
  name,
}: {
  readonly title: string;
  readonly parts: readonly UsagePart[];
  readonly name: (key: string) => string;
}) {
  const { usage: strings } = useStrings();
  if (parts.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {parts.map(({ key, costMicros }) => (
          <li key={key}>
            <span className="cut">{key === null ? strings.unknown : visibleText(name(key))}</span>
            <span className="number">{costMicros === null ? "–" : microsText(costMicros)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Sessions({ sessions }: { readonly sessions: readonly SessionSnapshot[] }) {
  const { usage: strings } = useStrings();
  if (sessions.length === 0) return null;
  return (
    <div className="sessions">
      <h3>
        {strings.activeSessions} <span className="muted">{sessions.length}</span>
      </h3>
      <ul>
        {sessions.slice(0, MAX_SESSIONS).map((session) => (
          <li key={session.sessionId}>
            <Link href={`/s/${encodeURIComponent(session.sessionId)}`} className="cut" data-row>
              {titleOf(session).split("\n")[0]}
            </Link>
            <span className="number muted">{formatCost(session.cost)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function byCost(a: SessionSnapshot, b: SessionSnapshot): number {
  return (b.cost.micros ?? 0) - (a.cost.micros ?? 0);
}
