import { visibleText } from "../../shown/visible-text.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { useWords } from "../words/words.ts";

const LOOKS: Readonly<Record<string, readonly [tone: string, shape: IconName]>> = {
  allow: ["done", "check"],
  ask: ["ask", "question"],
  deny: ["bad", "cross"],
  block: ["bad", "cross"],
  rewrite: ["limit", "again"],
  filter: ["limit", "again"],
  context: ["quiet", "plus"],
};

/** A shape, a word and a colour. What a reaction does has a word of its own. */
export function VerdictMark({ verdict }: { readonly verdict: string }) {
  const { policy: words } = useWords();
  const [tone, shape] = LOOKS[verdict] ?? ["quiet", "right"];
  return (
    <span className={`verdict-mark ${tone}`}>
      <Icon name={shape} /> {words.verdict[verdict as keyof typeof words.verdict] ?? visibleText(verdict)}
    </span>
  );
}
