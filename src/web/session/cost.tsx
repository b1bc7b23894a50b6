import { modelName } from "../../agents/model-name.ts";
import type { SessionDetail } from "../../serve/contract.ts";
import { estimateText } from "../../shown/cost-text.ts";
import { noticeText } from "../../shown/notice-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { withoutMarkdown } from "../parts/without-markdown.ts";
import { age, clock, count, money } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { firstLine } from "./call-subject.ts";
import { TurnBars } from "./turn-bars.tsx";
import "./cost.css";

type Tokens = SessionDetail["usage"]["total"];

/** What the session used and what that costs, turn by turn and by model. */
export function Cost({
  detail,
  onOpen,
}: {
  readonly detail: SessionDetail;
  readonly onOpen: (promptId: string) => void;
}) {
  const { session } = useWords();
  const { turns, usage, tools } = detail;
  return (
    <div className="session-cost">
      <p>
        <strong>{money(usage.cost)}</strong>{" "}
        <span className="muted">
          {fill(session.costSource[usage.cost.source], { date: usage.pricesOf })}
          {usage.cost.unpricedModels.length > 0 &&
            ` ${fill(session.unpriced, { models: usage.cost.unpricedModels.map(visibleText).join(", ") })}`}
        </span>
      </p>
      {turns.length > 2 && <TurnBars turns={turns} onOpen={onOpen} />}
      <section aria-labelledby="cost-turns">
        <h2 id="cost-turns">{session.byTurn}</h2>
        <div className="panel table">
          <table>
            <thead>
              <tr>
                <th className="number">#</th>
                <th>{session.prompt}</th>
                <th className="number wide">{session.ran}</th>
                <th className="number wide">{session.callsHead}</th>
                <TokenHeads />
                <th className="number">{session.cost}</th>
              </tr>
            </thead>
            <tbody>
              {turns.map((turn) => (
                <tr key={`${turn.promptId} ${turn.startedAtIso}`}>
                  <td className="number muted">{turn.number ?? "–"}</td>
                  <td className="prompt" title={clock(turn.startedAtIso)}>
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
                      : age(Date.parse(turn.endedAtIso) - Date.parse(turn.startedAtIso))}
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
                <td>{session.sum}</td>
                <td className="wide" />
                <td className="number wide">{detail.session.toolCount}</td>
                <TokenCells tokens={usage.total} />
                <td className="number">{money(usage.cost)}</td>
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
                <TokenHeads />
                <th className="number">{session.cost}</th>
              </tr>
            </thead>
            <tbody>
              {usage.byModel.map((model) => (
                <tr key={model.model}>
                  <td className="prompt cut">{visibleText(modelName(model.model))}</td>
                  <TokenCells tokens={model} />
                  <td className="number">{dollars(model.costMicros)}</td>
                </tr>
              ))}
              {usage.beyondMessages.map((model) => (
                <tr key={`beyond ${model.model}`}>
                  <td className="prompt">
                    {visibleText(modelName(model.model))} <span className="muted">{session.beyond}</span>
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
                  <th className="number">{session.callsHead}</th>
                  <th className="number">{session.failedHead}</th>
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
                    <td className="number">{age(tool.totalMs)}</td>
                    <td className="number wide">{age(tool.longestMs)}</td>
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
  const { session } = useWords();
  const { prompt, isForgotten, isMachine } = turn;
  if (prompt === null) return isForgotten ? session.forgottenPrompt : session.privatePrompt;
  return visibleText(firstLine(isMachine ? noticeText(prompt) : withoutMarkdown(prompt), 140)) || "–";
}

function TokenHeads() {
  const { session } = useWords();
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
      <td className="number wide">{count(tokens.input)}</td>
      <td className="number">{count(tokens.output)}</td>
      <td className="number wide">{count(tokens.cacheRead)}</td>
      <td className="number wide">{count(tokens.cacheWrite)}</td>
    </>
  );
}

function dollars(micros: number | null): string {
  return estimateText(micros) ?? "–";
}
