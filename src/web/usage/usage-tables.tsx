import type { ModelTotal, ProjectUsage, ToolUsage, UsageDay } from "../../serve/usage-contract.ts";
import { visible } from "../parts/code-text.tsx";
import { age, baseName, count } from "../words/amounts.ts";
import { useWords } from "../words/words.ts";
import { SourceBadge } from "./source-badge.tsx";
import { tokenSum } from "./usage-days.ts";

export function ProjectTable({ projects }: { readonly projects: readonly ProjectUsage[] }) {
  const { usage: words } = useWords();
  const most = Math.max(1, ...projects.map(({ costMicros }) => costMicros ?? 0));
  return (
    <section className="panel usage-table">
      <table>
        <caption>{words.projects}</caption>
        <thead>
          <tr>
            <th scope="col">{words.project}</th>
            <th scope="col" className="number">
              {words.cost}
            </th>
            <th scope="col" className="number">
              {words.tokens}
            </th>
            <th scope="col" className="number wide">
              {words.sessions}
            </th>
            <th scope="col" className="number wide">
              {words.waited}
            </th>
          </tr>
        </thead>
        <tbody>
          {projects.map(({ project, costMicros, tokens, sessions, waitMs }) => (
            <tr key={project}>
              <th scope="row" title={visible(project ?? "")}>
                <span className="cut">{project === null ? words.unknown : visible(baseName(project))}</span>
                <Share of={(costMicros ?? 0) / most} />
              </th>
              <td className="number">{dollars(costMicros)}</td>
              <td className="number">{count(tokenSum(tokens))}</td>
              <td className="number wide">{sessions}</td>
              <td className="number wide">{waitMs === 0 ? "–" : age(waitMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function ModelTable({
  models,
  pricesOf,
}: {
  readonly models: readonly ModelTotal[];
  readonly pricesOf: string;
}) {
  const { usage: words } = useWords();
  const most = Math.max(1, ...models.map(({ costMicros }) => costMicros ?? 0));
  return (
    <section className="panel usage-table">
      <table>
        <caption>{words.models}</caption>
        <thead>
          <tr>
            <th scope="col">{words.model}</th>
            <th scope="col" className="number">
              {words.cost}
            </th>
            <th scope="col" className="number">
              {words.tokens}
            </th>
            <th scope="col" className="number wide">
              {words.output}
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, costMicros, tokens, source }) => (
            <tr key={model}>
              <th scope="row">
                <span className="cut">{visible(model.replace(/^claude-/, ""))}</span>{" "}
                <SourceBadge source={source} pricesOf={pricesOf} models={[model]} />
                <Share of={(costMicros ?? 0) / most} />
              </th>
              <td className="number">{dollars(costMicros)}</td>
              <td className="number">{count(tokenSum(tokens))}</td>
              <td className="number wide">{count(tokens.output)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function ToolTable({ tools }: { readonly tools: readonly ToolUsage[] }) {
  const { usage: words } = useWords();
  return (
    <section className="panel usage-table">
      <table>
        <caption>{words.tools}</caption>
        <thead>
          <tr>
            <th scope="col">{words.tools}</th>
            <th scope="col" className="number">
              {words.calls}
            </th>
            <th scope="col" className="number">
              {words.failures}
            </th>
            <th scope="col" className="number">
              {words.rate}
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ tool, count: calls, failed }) => (
            <tr key={tool}>
              <th scope="row">
                <span className="cut">{visible(tool)}</span>
                <Share of={calls === 0 ? 0 : failed / calls} isBad />
              </th>
              <td className="number">{count(calls)}</td>
              <td className="number">{failed === 0 ? "–" : count(failed)}</td>
              <td className={`number ${failed / calls >= 0.1 ? "bad" : ""}`}>
                {failed === 0 ? "–" : `${((failed / calls) * 100).toFixed(failed / calls < 0.1 ? 1 : 0)}%`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function DayTable({ days }: { readonly days: readonly UsageDay[] }) {
  const { usage: words } = useWords();
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
              <th scope="row">{day.day}</th>
              <td className="number">{dollars(day.costMicros)}</td>
              {kinds.map((kind) => (
                <td key={kind} className="number">
                  {count(day.tokens[kind])}
                </td>
              ))}
              <td className="number">{day.sessions}</td>
              <td className="number">{day.turns}</td>
              <td className="number">{day.waitMs === 0 ? "–" : age(day.waitMs)}</td>
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
  if (micros === null) return "–";
  const value = micros / 1_000_000;
  return `$${value.toFixed(value < 100 ? 2 : 0)}`;
}
