import { fill, useStrings } from "../i18n/strings.ts";
import { KeyHint } from "../session/key-hint.tsx";
import "./updates-pill.css";

/** The number of updates held back while a list is frozen; a click applies them. */
export function UpdatesPill({
  updates,
  onApply,
}: {
  readonly updates: number;
  readonly onApply: () => void;
}) {
  const { now } = useStrings();
  if (updates === 0) return null;
  return (
    <button type="button" className="updates-pill" data-key="u" onClick={onApply}>
      {fill(now.updates, { n: updates })} <KeyHint letter="u" />
    </button>
  );
}
