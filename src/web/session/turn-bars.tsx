import type { SessionDetail } from "../../serve/contract.ts";
import { estimateText } from "../../shown/cost-text.ts";
import { formatCount } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { axisTicks, dollarTick, labelEvery } from "./axis-ticks.ts";

const MAX_TURNS = 400;
const MAX_BAR_PX = 56;
const MAX_LABELS = 12;

/** A bar per turn, scaled by cost, or by tokens if nothing has a price. */
export function TurnBars({
  turns,
  onOpen,
}: {
  readonly turns: SessionDetail["turns"];
  readonly onOpen: (promptId: string) => void;
}) {
  const { session } = useStrings();
  const shown = turns.slice(-MAX_TURNS);
  const isPriced = shown.some(({ costMicros }) => costMicros !== null);
  const sizes = shown.map(({ costMicros, tokens }) =>
    isPriced ? (costMicros ?? 0) : tokens.input + tokens.output + tokens.cacheWrite,
  );
  const maxSize = Math.max(...sizes, 1);
  const ticks = axisTicks(maxSize);
  const top = ticks.at(-1)!;
  const labelInterval = labelEvery(shown.length, MAX_LABELS);
  return (
    <figure className="turn-bars">
      <figcaption className="muted">
        {isPriced ? fill(session.costByTurn, { most: estimateText(maxSize) ?? "" }) : session.tokensByTurn}
      </figcaption>
      <div className="plot" style={{ maxWidth: 64 + shown.length * MAX_BAR_PX }} aria-hidden="true">
        <div className="y-axis">
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${(tick / top) * 100}%` }}>
              {isPriced ? dollarTick(tick, ticks[1]!) : formatCount(tick)}
            </span>
          ))}
        </div>
        <div className="bars">
          {ticks.map((tick) => (
            <i key={tick} style={{ bottom: `${(tick / top) * 100}%` }} />
          ))}
          {shown.map((turn, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the table below offers the same as buttons
            // biome-ignore lint/a11y/noStaticElementInteractions: as above
            <div
              key={`${turn.promptId} ${turn.startedAtIso}`}
              className={turn.outcome === "failed" ? "bar bad" : "bar"}
              title={`${turn.number ?? "–"}: ${isPriced ? estimateText(sizes[index]!) : formatCount(sizes[index]!)}`}
              onClick={() => turn.promptId !== null && onOpen(turn.promptId)}
            >
              <b style={{ height: `${(sizes[index]! / top) * 100}%` }} />
              {index % labelInterval === 0 && <span>{turn.number ?? "–"}</span>}
            </div>
          ))}
        </div>
        <p className="x-name muted">{session.turns}</p>
      </div>
    </figure>
  );
}
