import type { SearchHit } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import type { Strings } from "../i18n/en.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { FACETS, type Facet, isLimitReached, type SearchParams, TIMES } from "./search-query.ts";

const MAX_VALUES = 6;

/** Filters derived from the loaded hits, with counts that cover only those hits. */
export function Facets({
  params,
  hits,
  onSelect,
}: {
  readonly params: SearchParams;
  readonly hits: readonly SearchHit[];
  readonly onSelect: (facet: Facet, value: string | null) => void;
}) {
  const { search: strings } = useStrings();
  const selected = Object.keys(params.filters).length;
  return (
    <details className="facets" open={matchMedia("(min-width: 901px)").matches}>
      <summary>
        {strings.filters}
        {selected > 0 && <span className="badge">{selected}</span>}
      </summary>
      {isLimitReached(params, hits.length) && (
        <p className="muted hint">{fill(strings.countsNote, { n: hits.length })}</p>
      )}
      {FACETS.map((facet) => {
        const values = valuesOf(facet, hits, params.filters[facet]);
        if (values.length === 0) return null;
        return (
          <fieldset key={facet}>
            <legend>{strings[facet]}</legend>
            {values.map(([value, count]) => {
              const isOn = params.filters[facet] === value;
              return (
                <button
                  key={value}
                  type="button"
                  aria-pressed={isOn}
                  title={facet === "project" || facet === "file" ? visibleText(value) : undefined}
                  onClick={() => onSelect(facet, isOn ? null : value)}
                >
                  <span className="cut">{visibleText(labelOf(strings, facet, value))}</span>
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
  params,
  onSelect,
  onClear,
}: {
  readonly params: SearchParams;
  readonly onSelect: (facet: Facet, value: null) => void;
  readonly onClear: () => void;
}) {
  const { search: strings } = useStrings();
  const selected = FACETS.filter((facet) => params.filters[facet] !== undefined);
  if (selected.length === 0) return null;
  return (
    <ul className="chips">
      {selected.map((facet) => {
        const value = params.filters[facet] ?? "";
        const label = visibleText(`${strings[facet]}: ${labelOf(strings, facet, value)}`);
        return (
          <li key={facet} className="chip-pair on">
            <span className="cut">{label}</span>
            <button
              type="button"
              aria-label={fill(strings.removeFilter, { what: label })}
              onClick={() => onSelect(facet, null)}
            >
              ×
            </button>
          </li>
        );
      })}
      {selected.length > 1 && (
        <li>
          <button type="button" className="button bare small" onClick={onClear}>
            {strings.clear}
          </button>
        </li>
      )}
    </ul>
  );
}

function labelOf(strings: Strings["search"], facet: Facet, value: string): string {
  if (facet === "kind") return strings.kinds[value as keyof typeof strings.kinds] ?? value;
  if (facet === "type") return strings.types[value as keyof typeof strings.types] ?? value;
  if (facet === "time")
    return value === "1" ? strings.last24Hours : value === "7" ? strings.last7Days : strings.last30Days;
  if (facet === "tool") return visibleText(value);
  return visibleText(facet === "project" ? baseName(value) : value.split("/").slice(-2).join("/"));
}

function valuesOf(
  facet: Facet,
  hits: readonly SearchHit[],
  selected: string | undefined,
): (readonly [string, number])[] {
  if (facet === "time") return TIMES.map((days) => [days, 0] as const);
  const counts = new Map<string, number>();
  for (const hit of hits)
    for (const value of valuesIn(facet, hit)) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (selected !== undefined && !counts.has(selected)) counts.set(selected, 0);
  return [...counts]
    .sort((a, b) => Number(b[0] === selected) - Number(a[0] === selected) || b[1] - a[1])
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
