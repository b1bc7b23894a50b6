import { visibleText } from "../../shown/visible-text.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { useStrings } from "../i18n/strings.ts";

const VERDICT_STYLES: Readonly<Record<string, readonly [tone: string, shape: IconName]>> = {
  allow: ["done", "check"],
  ask: ["ask", "question"],
  deny: ["bad", "cross"],
  block: ["bad", "cross"],
  rewrite: ["limit", "again"],
  filter: ["limit", "again"],
  context: ["quiet", "plus"],
};

/** A verdict, or a reaction's effect, as shape, text and colour. */
export function VerdictBadge({ verdict }: { readonly verdict: string }) {
  const { policy: strings } = useStrings();
  const [tone, shape] = VERDICT_STYLES[verdict] ?? ["quiet", "right"];
  return (
    <span className={`verdict-mark ${tone}`}>
      <Icon name={shape} /> {strings.verdict[verdict as keyof typeof strings.verdict] ?? visibleText(verdict)}
    </span>
  );
}
