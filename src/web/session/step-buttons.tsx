import { fill, useStrings } from "../i18n/strings.ts";
import { KeyHint } from "./key-hint.tsx";

/** Steps between prompts and errors: `p`, `P` and `e`. */
export function StepButtons({
  errors,
  onPrompt,
  onError,
}: {
  readonly errors: number;
  readonly onPrompt: (direction: 1 | -1) => void;
  readonly onError: () => void;
}) {
  const { session } = useStrings();
  return (
    <>
      <button type="button" className="button bare" data-key="p" onClick={() => onPrompt(1)}>
        {session.nextPrompt} <KeyHint letter="p" />
      </button>
      <button type="button" className="button bare" data-key="P" onClick={() => onPrompt(-1)}>
        {session.previousPrompt} <KeyHint letter="P" />
      </button>
      <button type="button" className="button bare" data-key="e" disabled={errors === 0} onClick={onError}>
        {fill(session.nextError, { n: errors })} <KeyHint letter="e" />
      </button>
    </>
  );
}
