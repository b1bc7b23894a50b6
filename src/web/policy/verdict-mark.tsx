import { visible } from "../parts/code-text.tsx";
import { useWords } from "../words/words.ts";

const LOOKS: Readonly<Record<string, readonly [tone: string, shape: string]>> = {
  allow: ["done", "✓"],
  ask: ["ask", "?"],
  deny: ["bad", "✕"],
  block: ["bad", "✕"],
  rewrite: ["limit", "↻"],
  filter: ["limit", "↻"],
  context: ["quiet", "+"],
};

/** A shape, a word and a colour. What a reaction does has a word of its own. */
export function VerdictMark({ verdict }: { readonly verdict: string }) {
  const { policy: words } = useWords();
  const [tone, shape] = LOOKS[verdict] ?? ["quiet", "›"];
  return (
    <span className={`verdict-mark ${tone}`}>
      <span aria-hidden="true">{shape}</span>{" "}
      {words.verdict[verdict as keyof typeof words.verdict] ?? visible(verdict)}
    </span>
  );
}
