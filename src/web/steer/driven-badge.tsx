import type { DrivenState } from "../../control/envelope.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { useStrings } from "../i18n/strings.ts";
import "../components/state-badge.css";

const TONES_AND_SHAPES: Readonly<Record<DrivenState, readonly [tone: string, shape: IconName]>> = {
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

/** The status of a driven session as shape, text and colour. */
export function DrivenBadge({ state }: { readonly state: DrivenState }) {
  const { steer } = useStrings();
  const [tone, shape] = TONES_AND_SHAPES[state];
  return (
    <span className={`state-mark ${tone}`}>
      <span className="shape">
        <Icon name={shape} />
      </span>
      <span className="status-text">{steer.state[state]}</span>
    </span>
  );
}
