import { shortModelName } from "../../agents/model-name.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";

/** Where a cost comes from: reported, estimated or unpriced. */
export function SourceBadge({
  source,
  pricesOf,
  models,
}: {
  readonly source: "estimate" | "reported" | "unpriced";
  readonly pricesOf: string;
  readonly models: readonly string[];
}) {
  const { usage: strings } = useStrings();
  const hint = {
    estimate: fill(strings.estimateHint, { date: pricesOf }),
    reported: strings.reportedHint,
    unpriced: fill(strings.unpricedHint, {
      models: models.map((model) => visibleText(shortModelName(model))).join(", "),
    }),
  }[source];
  return (
    <span className={`badge source ${source}`} title={hint}>
      {strings[source]}
    </span>
  );
}
