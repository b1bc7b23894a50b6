import type { DrivenState } from "../../control/envelope.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { useWords } from "../words/words.ts";
import "../parts/state-mark.css";

const SHAPES: Readonly<Record<DrivenState, readonly [tone: string, shape: IconName]>> = {
  queued: ["quiet", "dashed"],
  idle: ["quiet", "ring"],
  thinking: ["busy", "dot"],
  responding: ["busy", "dot"],
  tool: ["busy", "dot"],
  retrying: ["limit", "again"],
  awaiting_permission: ["ask", "diamond"],
  awaiting_answer: ["ask", "question"],
  stopping: ["limit", "half"],
  closed: ["done", "check"],
};

/** How a driven session stands: shape, word and colour. */
export function DrivenMark({ state }: { readonly state: DrivenState }) {
  const { steer } = useWords();
  const [tone, shape] = SHAPES[state];
  return (
    <span className={`state-mark ${tone}`}>
      <span className="shape">
        <Icon name={shape} />
      </span>
      <span className="word">{steer.state[state]}</span>
    </span>
  );
}
