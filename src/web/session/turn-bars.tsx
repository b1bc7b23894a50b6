import type { SessionDetail } from "../../serve/contract.ts";
import { estimateText } from "../../shown/cost-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";

const HEIGHT_PX = 72;
const MAX_TURNS = 400;

/** A bar per turn, as high as its cost; if nothing has a price, as high as its tokens. */
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
  const most = Math.max(...sizes, 1e-9);
  return (
    <figure className="turn-bars">
      <figcaption className="muted">
        {isPriced ? fill(session.costByTurn, { most: estimateText(most) ?? "" }) : session.tokensByTurn}
      </figcaption>
      <div className="bars" style={{ height: HEIGHT_PX }} aria-hidden="true">
        {shown.map((turn, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the table below has the same as buttons
          // biome-ignore lint/a11y/noStaticElementInteractions: as above
          <div
            key={`${turn.promptId} ${turn.startedAtIso}`}
            className={turn.outcome === "failed" ? "bar bad" : "bar"}
            title={`${turn.number ?? "–"}: ${isPriced ? estimateText(sizes[index]!) : sizes[index]}`}
            style={{ height: `${Math.max(2, (sizes[index]! / most) * 100)}%` }}
            onClick={() => turn.promptId !== null && onOpen(turn.promptId)}
          />
        ))}
      </div>
    </figure>
  );
}
