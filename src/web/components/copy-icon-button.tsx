import { useEffect, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { useStrings } from "../i18n/strings.ts";
import { Icon } from "./icon.tsx";

const CONFIRMED_MS = 1_600;

/** Copies a text and confirms it with a tick, where there is no room for words. */
export function CopyIconButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { app } = useStrings();
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid(app.copied),
      (error: Error) => setSaid(error.message),
    );
  };
  return (
    <button
      type="button"
      className="button bare small icon-button"
      aria-label={label}
      title={visibleText(said ?? label)}
      onClick={copy}
    >
      <Icon name={said === app.copied ? "check" : said === null ? "copy" : "cross"} />
      <span className="sr-only" aria-live="polite">
        {visibleText(said ?? "")}
      </span>
    </button>
  );
}
