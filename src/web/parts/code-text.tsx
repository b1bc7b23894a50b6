import { visibleText } from "../../shown/visible-text.ts";
import "./code-text.css";

/** What an agent wrote, as text and nothing else: no markup of it is markup here. */
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
