import { shortModelName } from "../../agents/model-name.ts";
import type { SessionDetail } from "../../serve/contract.ts";
import { estimateText } from "../../shown/cost-text.ts";
import { machinePromptText } from "../../shown/machine-prompt-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { withoutMarkdown } from "../components/without-markdown.ts";
import { firstLine } from "../conversation/call-subject.ts";
import { formatCost, formatCount, formatDuration, formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { TurnBars } from "./turn-bars.tsx";
import "./cost.css";

type Tokens = SessionDetail["usage"]["total"];

/** The session's usage and cost, by turn and by model. */
export function Cost({
  detail,
  onOpen,
}: {
  readonly detail: SessionDetail;
  readonly onOpen: (promptId: string) => void;
}) {
  const { session } = useStrings();
  const { turns, usage, tools } = detail;
  return (
    <div className="session-cost">
      <p>
        <strong>{formatCost(usage.cost)}</strong>{" "}
        <span className="muted">
          {fill(session.costSource[usage.cost.source], { date: usage.pricesOf })}
          {usage.cost.unpricedModels.length > 0 &&
            ` ${fill(session.unpriced, { models: usage.cost.unpricedModels.map(visibleText).join(", ") })}`}
        </span>
      </p>
      {turns.length > 1 && <TurnBars turns={turns} onOpen={onOpen} />}
      <section aria-labelledby="cost-turns">
        <h2 id="cost-turns">{session.byTurn}</h2>
        <div className="panel table">
          <table>
            <thead>
              <tr>
                <th className="number">#</th>
                <th>{session.prompt}</th>
                <th className="number wide">{session.ran}</th>
                <th className="number wide">{session.callsHeader}</th>
                <TokenHeaders />
                <th className="number">{session.cost}</th>
              </tr>
            </thead>
            <tbody>
              {turns.map((turn) => (
                <tr key={`${turn.promptId} ${turn.startedAtIso}`}>
                  <td className="number muted">{turn.number ?? "–"}</td>
                  <td className="prompt" title={formatTime(turn.startedAtIso)}>
                    {turn.promptId === null ? (
                      <PromptText turn={turn} />
                    ) : (
                      <button
                        type="button"
                        className="link cut"
                        data-row
                        onClick={() => onOpen(turn.promptId!)}
                      >
                        <PromptText turn={turn} />
                      </button>
                    )}
                  </td>
                  <td className="number wide">
                    {turn.endedAtIso === null
                      ? "…"
                      : formatDuration(Date.parse(turn.endedAtIso) - Date.parse(turn.startedAtIso))}
                  </td>
                  <td className="number wide">
                    {turn.toolCount}
                    {turn.failedToolCount > 0 && <span className="removed"> ✕{turn.failedToolCount}</span>}
                  </td>
                  <TokenCells tokens={turn.tokens} />
                  <td className="number">{dollars(turn.costMicros)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <td />
                <td>{session.total}</td>
                <td className="wide" />
                <td className="number wide">{detail.session.toolCount}</td>
                <TokenCells tokens={usage.total} />
                <td className="number">{formatCost(usage.cost)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      </section>
      <section aria-labelledby="cost-models">
        <h2 id="cost-models">{session.byModel}</h2>
        <div className="panel table">
          <table>
            <thead>
              <tr>
                <th>{session.model}</th>
                <TokenHeaders />
                <th className="number">{session.cost}</th>
              </tr>
            </thead>
            <tbody>
              {usage.byModel.map((model) => (
                <tr key={model.model}>
                  <td className="prompt cut">{visibleText(shortModelName(model.model))}</td>
                  <TokenCells tokens={model} />
                  <td className="number">{dollars(model.costMicros)}</td>
                </tr>
              ))}
              {usage.beyondMessages.map((model) => (
                <tr key={`beyond ${model.model}`}>
                  <td className="prompt">
                    {visibleText(shortModelName(model.model))}{" "}
                    <span className="muted">{session.outsideMessages}</span>
                  </td>
                  <TokenCells tokens={model} />
                  <td className="number">{dollars(model.costMicros)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      {tools.length > 0 && (
        <section aria-labelledby="cost-tools">
          <h2 id="cost-tools">{session.byTool}</h2>
          <div className="panel table">
            <table>
              <thead>
                <tr>
                  <th>{session.tool}</th>
                  <th className="number">{session.callsHeader}</th>
                  <th className="number">{session.failedHeader}</th>
                  <th className="number">{session.ran}</th>
                  <th className="number wide">{session.longest}</th>
                </tr>
              </thead>
              <tbody>
                {tools.map((tool) => (
                  <tr key={tool.toolName}>
                    <td className="prompt cut">{visibleText(tool.toolName)}</td>
                    <td className="number">{tool.count}</td>
                    <td className={`number ${tool.failed > 0 ? "removed" : "muted"}`}>{tool.failed}</td>
                    <td className="number">{formatDuration(tool.totalMs)}</td>
                    <td className="number wide">{formatDuration(tool.longestMs)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </div>
  );
}

function PromptText({ turn }: { readonly turn: SessionDetail["turns"][number] }) {
  const { session } = useStrings();
  const { prompt, isForgotten, isMachine } = turn;
  if (prompt === null) return isForgotten ? session.forgottenPrompt : session.privatePrompt;
  return visibleText(firstLine(isMachine ? machinePromptText(prompt) : withoutMarkdown(prompt), 140)) || "–";
}

function TokenHeaders() {
  const { session } = useStrings();
  return (
    <>
      <th className="number wide">{session.tokensIn}</th>
      <th className="number">{session.tokensOut}</th>
      <th className="number wide">{session.cacheRead}</th>
      <th className="number wide">{session.cacheWrite}</th>
    </>
  );
}

function TokenCells({ tokens }: { readonly tokens: Tokens }) {
  return (
    <>
      <td className="number wide">{formatCount(tokens.input)}</td>
      <td className="number">{formatCount(tokens.output)}</td>
      <td className="number wide">{formatCount(tokens.cacheRead)}</td>
      <td className="number wide">{formatCount(tokens.cacheWrite)}</td>
    </>
  );
}

function dollars(micros: number | null): string {
  return estimateText(micros) ?? "–";
}
