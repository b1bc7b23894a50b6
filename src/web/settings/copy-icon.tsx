import { useEffect, useState } from "react";
import { Icon } from "../components/icon.tsx";
import { useStrings } from "../i18n/strings.ts";

const SHOWN_MS = 1_600;

/** Copies a text; a check mark confirms it. */
export function CopyIcon({ text, label }: { readonly text: string; readonly label: string }) {
  const { app } = useStrings();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      className="button bare icon-button"
      aria-label={label}
      title={label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <Icon name={isCopied ? "check" : "copy"} />
      <span className="sr-only" aria-live="polite">
        {isCopied ? app.copied : ""}
      </span>
    </button>
  );
}
