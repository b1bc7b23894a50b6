import "./code-text.css";

/** What an agent wrote, as text and nothing else: no markup of it is markup here. */
export function CodeText({ text, lines = 12 }: { readonly text: string; readonly lines?: number }) {
  const shown = text.split("\n").slice(0, lines);
  const rest = text.split("\n").length - shown.length;
  return (
    <pre className="code-text">
      <code>{shown.map(visible).join("\n")}</code>
      {rest > 0 && <span className="muted">{`\n… ${rest}`}</span>}
    </pre>
  );
}

/** Control and bidirectional characters would show something else than what is run. */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
