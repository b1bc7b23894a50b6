import { visibleText } from "../../shown/visible-text.ts";

/** A text with its matches highlighted, as UTF-16 ranges. */
export function Marked({
  text,
  marks,
}: {
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
}) {
  const parts: { at: number; text: string; isMatch: boolean }[] = [];
  let position = 0;
  for (const [from, to] of marks) {
    if (from < position || to <= from) continue;
    parts.push({ at: position, text: text.slice(position, from), isMatch: false });
    parts.push({ at: from, text: text.slice(from, to), isMatch: true });
    position = to;
  }
  parts.push({ at: position, text: text.slice(position), isMatch: false });
  return parts.map((part) =>
    part.isMatch ? <mark key={`${part.at}m`}>{visibleText(part.text)}</mark> : visibleText(part.text),
  );
}
