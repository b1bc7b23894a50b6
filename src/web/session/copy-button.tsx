import { useEffect, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { useStrings } from "../i18n/strings.ts";
import { KeyHint } from "./key-hint.tsx";

const SHOWN_MS = 1_600;

/** Copies a text and confirms it. */
export function CopyButton({
  text,
  label,
  letter,
  className = "button",
}: {
  readonly text: string | (() => string);
  readonly label: string;
  readonly letter?: string;
  readonly className?: string;
}) {
  const { app } = useStrings();
  const [result, setResult] = useState<string | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = (): void => {
    navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(
      () => setResult(app.copied),
      (error: Error) => setResult(error.message),
    );
  };
  return (
    <button
      type="button"
      className={className}
      data-key={letter}
      title={typeof text === "string" ? visibleText(text) : undefined}
      onClick={copy}
    >
      <span aria-live="polite">{result ?? label}</span>
      {letter !== undefined && <KeyHint letter={letter} />}
    </button>
  );
}
