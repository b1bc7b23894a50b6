import { visibleText } from "../../shown/visible-text.ts";
import "./code-text.css";

/** Agent text, shown as plain text: its markup is never interpreted. */
export function CodeText({ text, lines = 12 }: { readonly text: string; readonly lines?: number }) {
  const shown = text.split("\n").slice(0, lines);
  const rest = text.split("\n").length - shown.length;
  return (
    <pre className="code-text">
      <code>{shown.map(visibleText).join("\n")}</code>
      {rest > 0 && <span className="muted">{`\n… ${rest}`}</span>}
    </pre>
  );
}
