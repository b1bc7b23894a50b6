import { useEffect, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { useStrings } from "../i18n/strings.ts";
import { Icon } from "./icon.tsx";

const CONFIRMED_MS = 1_600;

/** A copy button without visible text; a check mark confirms the copy. */
export function CopyIconButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { app } = useStrings();
  const [result, setResult] = useState<string | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setResult(app.copied),
      (error: Error) => setResult(error.message),
    );
  };
  return (
    <button
      type="button"
      className="button bare small icon-button"
      aria-label={label}
      title={visibleText(result ?? label)}
      onClick={copy}
    >
      <Icon name={result === app.copied ? "check" : result === null ? "copy" : "cross"} />
      <span className="sr-only" aria-live="polite">
        {visibleText(result ?? "")}
      </span>
    </button>
  );
}
