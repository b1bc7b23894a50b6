import type { DrivenState } from "../../control/envelope.ts";
import { useWords } from "../words/words.ts";
import "../parts/state-mark.css";

const SHAPES: Readonly<Record<DrivenState, readonly [tone: string, shape: string]>> = {
  queued: ["quiet", "◌"],
  idle: ["quiet", "○"],
  thinking: ["busy", "●"],
  responding: ["busy", "●"],
  tool: ["busy", "●"],
  retrying: ["limit", "↻"],
  awaiting_permission: ["ask", "◆"],
  awaiting_answer: ["ask", "?"],
  stopping: ["limit", "◐"],
  closed: ["done", "✓"],
};

/** How a driven session stands: shape, word and colour. */
export function DrivenMark({ state }: { readonly state: DrivenState }) {
  const { steer } = useWords();
  const [tone, shape] = SHAPES[state];
  return (
    <span className={`state-mark ${tone}`}>
      <span className="shape" aria-hidden="true">
        {shape}
      </span>
      <span className="word">{steer.state[state]}</span>
    </span>
  );
}
