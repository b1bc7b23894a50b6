import { shortModelName } from "../../agents/model-name.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";

/** How certain a price is. */
export function SourceBadge({
  source,
  pricesOf,
  models,
}: {
  readonly source: "estimate" | "reported" | "unpriced";
  readonly pricesOf: string;
  readonly models: readonly string[];
}) {
  const { usage: words } = useStrings();
  const hint = {
    estimate: fill(words.estimateHint, { date: pricesOf }),
    reported: words.reportedHint,
    unpriced: fill(words.unpricedHint, {
      models: models.map((model) => visibleText(shortModelName(model))).join(", "),
    }),
  }[source];
  return (
    <span className={`badge source ${source}`} title={hint}>
      {words[source]}
    </span>
  );
}
