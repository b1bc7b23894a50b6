import { modelName } from "../../agents/model-name.ts";
import type { DrivenSession } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { titleOf } from "../parts/standing.ts";
import { Link } from "../shell/link.tsx";
import { baseName, shortAge } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { dollars } from "./dollars.ts";
import { DrivenMark } from "./driven-mark.tsx";

/** Sessions that are driven from here, those that run first. */
export function DrivenList({ sessions }: { readonly sessions: readonly DrivenSession[] }) {
  const { steer } = useWords();
  const now = useNow();
  const watched = useStore(live).sessions;
  const sorted = [...sessions].sort(
    (a, b) =>
      Number(a.state === "closed") - Number(b.state === "closed") ||
      (a.startedAtIso < b.startedAtIso ? 1 : -1),
  );
  if (sorted.length === 0) return <p className="muted calm">{steer.noneDriven}</p>;
  return (
    <div className="panel rows">
      {sorted.map(({ sessionId, state, cwd, projectPath, totalCostUsd, startedAtIso, model }) => {
        const known = watched.get(sessionId);
        return (
          <Link
            key={sessionId}
            href={`/steer/${encodeURIComponent(sessionId)}`}
            className="driven-row"
            data-row
          >
            <DrivenMark state={state} />
            <span className="title cut">
              {visibleText(known === undefined ? sessionId.slice(0, 8) : titleOf(known))}
            </span>
            <span className="muted cut where" title={visibleText(cwd)}>
              {visibleText(baseName(projectPath ?? cwd))}
            </span>
            <span className="muted cut model">{visibleText(model === null ? "" : modelName(model))}</span>
            <span className="number">{dollars(totalCostUsd)}</span>
            <span className="number muted ago">
              {fill(steer.started, { age: shortAge(now - Date.parse(startedAtIso)) })}
            </span>
          </Link>
        );
      })}
    </div>
  );
}
