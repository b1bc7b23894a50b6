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
  /** Hidden on narrow screens. */
  readonly isWide?: boolean;
  readonly isBad?: (row: Row) => boolean;
}

/** Rows with a name and a bar, and numbers next to them. */
function BarTable<Row>({
  caption,
  rowHeader,
  rows,
  keyOf,
  renderHeader,
  columns,
}: {
  readonly caption: string;
  readonly rowHeader: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | null;
  readonly renderHeader: (row: Row) => React.ReactNode;
  readonly columns: readonly Column<Row>[];
}) {
  const classOf = ({ isWide = false }: Column<Row>): string => `number ${isWide ? "wide" : ""}`;
  return (
    <section className="panel usage-table">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{rowHeader}</th>
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
                {renderHeader(row)}
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
  const { usage: strings } = useStrings();
  const max = maxCost(projects);
  return (
    <BarTable
      caption={strings.projects}
      rowHeader={strings.project}
      rows={projects}
      keyOf={({ project }) => project}
      renderHeader={({ project, costMicros }) => (
        <>
          <span className="cut">{project === null ? strings.unknown : visibleText(baseName(project))}</span>
          <ShareBar share={(costMicros ?? 0) / max} />
        </>
      )}
      columns={[
        { name: strings.cost, value: ({ costMicros }) => dollars(costMicros) },
        { name: strings.tokens, value: ({ tokens }) => formatCount(tokenSum(tokens)) },
        { name: strings.sessions, value: ({ sessions }) => String(sessions), isWide: true },
        {
          name: strings.waited,
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
  const { usage: strings } = useStrings();
  const max = maxCost(models);
  return (
    <BarTable
      caption={strings.models}
      rowHeader={strings.model}
      rows={models}
      keyOf={({ model }) => model}
      renderHeader={({ model, costMicros, source }) => (
        <>
          <span className="cut">{visibleText(shortModelName(model))}</span>{" "}
          <SourceBadge source={source} pricesOf={pricesOf} models={[model]} />
          <ShareBar share={(costMicros ?? 0) / max} />
        </>
      )}
      columns={[
        { name: strings.cost, value: ({ costMicros }) => dollars(costMicros) },
        { name: strings.tokens, value: ({ tokens }) => formatCount(tokenSum(tokens)) },
        { name: strings.output, value: ({ tokens }) => formatCount(tokens.output), isWide: true },
      ]}
    />
  );
}

/** At this rate and above, failures are highlighted. */
const HIGH_FAILURE_RATE = 0.1;

export function ToolTable({ tools }: { readonly tools: readonly ToolUsage[] }) {
  const { usage: strings } = useStrings();
  const rateOf = ({ count, failed }: ToolUsage): number => (count === 0 ? 0 : failed / count);
  return (
    <BarTable
      caption={strings.tools}
      rowHeader={strings.tools}
      rows={tools}
      keyOf={({ tool }) => tool}
      renderHeader={(row) => (
        <>
          <span className="cut">{visibleText(row.tool)}</span>
          <ShareBar share={rateOf(row)} isBad />
        </>
      )}
      columns={[
        { name: strings.calls, value: ({ count }) => formatCount(count) },
        { name: strings.failures, value: ({ failed }) => (failed === 0 ? "–" : formatCount(failed)) },
        {
          name: strings.failureRate,
          value: (row) => percent(rateOf(row)),
          isBad: (row) => rateOf(row) >= HIGH_FAILURE_RATE,
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
  const { usage: strings } = useStrings();
  const tokenKinds = ["input", "output", "cacheRead", "cacheWrite"] as const;
  return (
    <div className="usage-table days">
      <table>
        <thead>
          <tr>
            {[
              strings.day,
              strings.cost,
              ...tokenKinds.map((tokenKind) => strings[tokenKind]),
              strings.sessions,
              strings.turns,
              strings.waited,
            ].map((name, index) => (
              <th key={name} scope="col" className={index === 0 ? "" : "number"}>
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
              {tokenKinds.map((tokenKind) => (
                <td key={tokenKind} className="number">
                  {formatCount(day.tokens[tokenKind])}
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

function ShareBar({ share, isBad = false }: { readonly share: number; readonly isBad?: boolean }) {
  return (
    <span className={`share ${isBad ? "bad" : ""}`} aria-hidden="true">
      <span style={{ width: `${Math.min(100, share * 100)}%` }} />
    </span>
  );
}

function dollars(micros: number | null): string {
  return micros === null ? "–" : microsText(micros);
}

function percent(rate: number): string {
  return rate === 0 ? "–" : `${(rate * 100).toFixed(rate < HIGH_FAILURE_RATE ? 1 : 0)}%`;
}
