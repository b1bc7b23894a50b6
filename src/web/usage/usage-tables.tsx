import { shortModelName } from "../../agents/model-name.ts";
import type { ModelTotal, ProjectUsage, ToolUsage, UsageDay } from "../../serve/usage-contract.ts";
import { microsText } from "../../shown/cost-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { baseName, formatCount, formatDuration } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";
import { SourceBadge } from "./source-badge.tsx";
import { tokenSum } from "./usage-days.ts";

interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => string;
  /** Left out if there is little room. */
  readonly isWide?: boolean;
  readonly isBad?: (row: Row) => boolean;
}

/** Rows with a name and a bar, and numbers next to them. */
function BarTable<Row>({
  caption,
  first,
  rows,
  keyOf,
  head,
  columns,
}: {
  readonly caption: string;
  readonly first: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | null;
  readonly head: (row: Row) => React.ReactNode;
  readonly columns: readonly Column<Row>[];
}) {
  const classOf = ({ isWide = false }: Column<Row>): string => `number ${isWide ? "wide" : ""}`;
  return (
    <section className="panel usage-table">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={classOf(column)}>
                {visibleText(column.name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row" title={visibleText(keyOf(row) ?? "")}>
                {head(row)}
              </th>
              {columns.map((column) => (
                <td key={column.name} className={`${classOf(column)} ${column.isBad?.(row) ? "bad" : ""}`}>
                  {visibleText(column.value(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Priced = Pick<ProjectUsage, "costMicros" | "tokens">;

const maxCost = (rows: readonly Priced[]): number =>
  Math.max(1, ...rows.map(({ costMicros }) => costMicros ?? 0));

export function ProjectTable({ projects }: { readonly projects: readonly ProjectUsage[] }) {
  const { usage: words } = useStrings();
  const most = maxCost(projects);
  return (
    <BarTable
      caption={words.projects}
      first={words.project}
      rows={projects}
      keyOf={({ project }) => project}
      head={({ project, costMicros }) => (
        <>
          <span className="cut">{project === null ? words.unknown : visibleText(baseName(project))}</span>
          <Share of={(costMicros ?? 0) / most} />
        </>
      )}
      columns={[
        { name: words.cost, value: ({ costMicros }) => dollars(costMicros) },
        { name: words.tokens, value: ({ tokens }) => formatCount(tokenSum(tokens)) },
        { name: words.sessions, value: ({ sessions }) => String(sessions), isWide: true },
        {
          name: words.waited,
          value: ({ waitMs }) => (waitMs === 0 ? "–" : formatDuration(waitMs)),
          isWide: true,
        },
      ]}
    />
  );
}

export function ModelTable({
  models,
  pricesOf,
}: {
  readonly models: readonly ModelTotal[];
  readonly pricesOf: string;
}) {
  const { usage: words } = useStrings();
  const most = maxCost(models);
  return (
    <BarTable
      caption={words.models}
      first={words.model}
      rows={models}
      keyOf={({ model }) => model}
      head={({ model, costMicros, source }) => (
        <>
          <span className="cut">{visibleText(shortModelName(model))}</span>{" "}
          <SourceBadge source={source} pricesOf={pricesOf} models={[model]} />
          <Share of={(costMicros ?? 0) / most} />
        </>
      )}
      columns={[
        { name: words.cost, value: ({ costMicros }) => dollars(costMicros) },
        { name: words.tokens, value: ({ tokens }) => formatCount(tokenSum(tokens)) },
        { name: words.output, value: ({ tokens }) => formatCount(tokens.output), isWide: true },
      ]}
    />
  );
}

/** From one failure in ten, it is worth a look. */
const OFTEN = 0.1;

export function ToolTable({ tools }: { readonly tools: readonly ToolUsage[] }) {
  const { usage: words } = useStrings();
  const rateOf = ({ count: calls, failed }: ToolUsage): number => (calls === 0 ? 0 : failed / calls);
  return (
    <BarTable
      caption={words.tools}
      first={words.tools}
      rows={tools}
      keyOf={({ tool }) => tool}
      head={(row) => (
        <>
          <span className="cut">{visibleText(row.tool)}</span>
          <Share of={rateOf(row)} isBad />
        </>
      )}
      columns={[
        { name: words.calls, value: ({ count: calls }) => formatCount(calls) },
        { name: words.failures, value: ({ failed }) => (failed === 0 ? "–" : formatCount(failed)) },
        {
          name: words.failureRate,
          value: (row) => percent(rateOf(row)),
          isBad: (row) => rateOf(row) >= OFTEN,
        },
      ]}
    />
  );
}

export function DayTable({
  days,
  onPickDay,
}: {
  readonly days: readonly UsageDay[];
  readonly onPickDay: (day: string) => void;
}) {
  const { usage: words } = useStrings();
  const kinds = ["input", "output", "cacheRead", "cacheWrite"] as const;
  return (
    <div className="usage-table days">
      <table>
        <thead>
          <tr>
            {[
              words.day,
              words.cost,
              ...kinds.map((kind) => words[kind]),
              words.sessions,
              words.turns,
              words.waited,
            ].map((name, at) => (
              <th key={name} scope="col" className={at === 0 ? "" : "number"}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">
                <button type="button" className="day" data-row onClick={() => onPickDay(day.day)}>
                  {day.day}
                </button>
              </th>
              <td className="number">{dollars(day.costMicros)}</td>
              {kinds.map((kind) => (
                <td key={kind} className="number">
                  {formatCount(day.tokens[kind])}
                </td>
              ))}
              <td className="number">{day.sessions}</td>
              <td className="number">{day.turns}</td>
              <td className="number">{day.waitMs === 0 ? "–" : formatDuration(day.waitMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Share({ of, isBad = false }: { readonly of: number; readonly isBad?: boolean }) {
  return (
    <span className={`share ${isBad ? "bad" : ""}`} aria-hidden="true">
      <span style={{ width: `${Math.min(100, of * 100)}%` }} />
    </span>
  );
}

function dollars(micros: number | null): string {
  return micros === null ? "–" : microsText(micros);
}

function percent(rate: number): string {
  return rate === 0 ? "–" : `${(rate * 100).toFixed(rate < OFTEN ? 1 : 0)}%`;
}
