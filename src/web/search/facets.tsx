import type { SearchHit } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import type { Strings } from "../i18n/en.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { FACETS, type Facet, isLimitReached, type SearchParams, TIMES } from "./search-query.ts";

const MAX_VALUES = 6;

/** Filters from what the hits have in common, with counts of the loaded hits only, and it says so. */
export function Facets({
  wish,
  hits,
  onChoose,
}: {
  readonly wish: SearchParams;
  readonly hits: readonly SearchHit[];
  readonly onChoose: (facet: Facet, value: string | null) => void;
}) {
  const { search: words } = useStrings();
  const chosen = Object.keys(wish.filters).length;
  return (
    <details className="facets" open={matchMedia("(min-width: 901px)").matches}>
      <summary>
        {words.filters}
        {chosen > 0 && <span className="badge">{chosen}</span>}
      </summary>
      {isLimitReached(wish, hits.length) && (
        <p className="muted hint">{fill(words.countsNote, { n: hits.length })}</p>
      )}
      {FACETS.map((facet) => {
        const values = valuesOf(facet, hits, wish.filters[facet]);
        if (values.length === 0) return null;
        return (
          <fieldset key={facet}>
            <legend>{words[facet]}</legend>
            {values.map(([value, count]) => {
              const isOn = wish.filters[facet] === value;
              return (
                <button
                  key={value}
                  type="button"
                  aria-pressed={isOn}
                  title={facet === "project" || facet === "file" ? visibleText(value) : undefined}
                  onClick={() => onChoose(facet, isOn ? null : value)}
                >
                  <span className="cut">{visibleText(labelOf(words, facet, value))}</span>
                  {count > 0 && <span className="muted">{count}</span>}
                </button>
              );
            })}
          </fieldset>
        );
      })}
    </details>
  );
}

/** The active filters, each removable. */
export function ActiveFilters({
  wish,
  onChoose,
  onClear,
}: {
  readonly wish: SearchParams;
  readonly onChoose: (facet: Facet, value: null) => void;
  readonly onClear: () => void;
}) {
  const { search: words } = useStrings();
  const chosen = FACETS.filter((facet) => wish.filters[facet] !== undefined);
  if (chosen.length === 0) return null;
  return (
    <ul className="chips">
      {chosen.map((facet) => {
        const value = wish.filters[facet] ?? "";
        const label = visibleText(`${words[facet]}: ${labelOf(words, facet, value)}`);
        return (
          <li key={facet} className="chip-pair on">
            <span className="cut">{label}</span>
            <button
              type="button"
              aria-label={fill(words.removeFilter, { what: label })}
              onClick={() => onChoose(facet, null)}
            >
              ×
            </button>
          </li>
        );
      })}
      {chosen.length > 1 && (
        <li>
          <button type="button" className="button bare small" onClick={onClear}>
            {words.clear}
          </button>
        </li>
      )}
    </ul>
  );
}

function labelOf(words: Strings["search"], facet: Facet, value: string): string {
  if (facet === "kind") return words.kinds[value as keyof typeof words.kinds] ?? value;
  if (facet === "type") return words.types[value as keyof typeof words.types] ?? value;
  if (facet === "time")
    return value === "1" ? words.last24Hours : value === "7" ? words.last7Days : words.last30Days;
  if (facet === "tool") return visibleText(value);
  return visibleText(facet === "project" ? baseName(value) : value.split("/").slice(-2).join("/"));
}

function valuesOf(
  facet: Facet,
  hits: readonly SearchHit[],
  chosen: string | undefined,
): (readonly [string, number])[] {
  if (facet === "time") return TIMES.map((days) => [days, 0] as const);
  const counts = new Map<string, number>();
  for (const hit of hits)
    for (const value of valuesIn(facet, hit)) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (chosen !== undefined && !counts.has(chosen)) counts.set(chosen, 0);
  return [...counts]
    .sort((a, b) => Number(b[0] === chosen) - Number(a[0] === chosen) || b[1] - a[1])
    .slice(0, MAX_VALUES);
}

function valuesIn(facet: Exclude<Facet, "time">, hit: SearchHit): readonly string[] {
  switch (facet) {
    case "project":
      return hit.project === null ? [] : [hit.project];
    case "kind":
      return [hit.kind];
    case "type":
      return [hit.type];
    case "tool":
      return hit.toolName === null ? [] : [hit.toolName];
    case "file":
      return [...new Set(hit.files)];
    default:
      return facet satisfies never;
  }
}
