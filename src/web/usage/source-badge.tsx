import { modelName } from "../../agents/model-name.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useWords } from "../words/words.ts";

/** How sure a price is. */
export function SourceBadge({
  source,
  pricesOf,
  models,
}: {
  readonly source: "estimate" | "reported" | "unpriced";
  readonly pricesOf: string;
  readonly models: readonly string[];
}) {
  const { usage: words } = useWords();
  const hint = {
    estimate: fill(words.estimateHint, { date: pricesOf }),
    reported: words.reportedHint,
    unpriced: fill(words.unpricedHint, {
      models: models.map((model) => visibleText(modelName(model))).join(", "),
    }),
  }[source];
  return (
    <span className={`badge source ${source}`} title={hint}>
      {words[source]}
    </span>
  );
}
