import { KeyHint } from "../session/key-hint.tsx";
import { fill, useWords } from "../words/words.ts";
import "./updates-pill.css";

/** What waits while a list stands still under somebody's hand; pressed, it comes. */
export function UpdatesPill({
  updates,
  onApply,
}: {
  readonly updates: number;
  readonly onApply: () => void;
}) {
  const { now } = useWords();
  if (updates === 0) return null;
  return (
    <button type="button" className="updates-pill" data-key="u" onClick={onApply}>
      {fill(now.updates, { n: updates })} <KeyHint letter="u" />
    </button>
  );
}
