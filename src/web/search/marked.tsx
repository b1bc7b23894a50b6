import { visibleText } from "../../shown/visible-text.ts";

/** A text with its matches highlighted, as UTF-16 ranges. */
export function Marked({
  text,
  marks,
}: {
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
}) {
  const parts: { at: number; text: string; isFound: boolean }[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    if (from < at || to <= from) continue;
    parts.push({ at, text: text.slice(at, from), isFound: false });
    parts.push({ at: from, text: text.slice(from, to), isFound: true });
    at = to;
  }
  parts.push({ at, text: text.slice(at), isFound: false });
  return parts.map((part) =>
    part.isFound ? <mark key={`${part.at}m`}>{visibleText(part.text)}</mark> : visibleText(part.text),
  );
}
