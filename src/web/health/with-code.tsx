import { visibleText } from "../../shown/visible-text.ts";

/** Text in backticks is code. */
export function WithCode({ text }: { readonly text: string }) {
  return (
    visibleText(text)
      .split("`")
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence
      .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))
  );
}
