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

/**
 * What nobody sees would show something else than what is run: control and direction characters, what has no width,
 * hidden tags, halves of pairs. Lines and tabs stay, and what makes a sign of an emoji a picture.
 */
const HIDDEN =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])\p{DI}/gu;

export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => {
    const code = char.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}
