import { visibleText } from "../../shown/visible-text.ts";

/** Text in backticks is code. */
export function WithCode({ text }: { readonly text: string }) {
  return text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence
    index % 2 === 0 ? visibleText(part) : <code key={index}>{visibleText(part)}</code>,
  );
}
