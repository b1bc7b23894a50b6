import type { HooklineEvent } from "../../event/event.ts";
import { memoryItemEvent } from "../../event/memory-events.ts";
import { clipLine } from "../compress/clean-text.ts";
import type { SummaryContent } from "../memory-item.ts";
import type { AskedTurn } from "./ask-prompt.ts";
import type { ModelAnswer } from "./model-answer.ts";
import type { ParsedAnswer } from "./parse-answer.ts";

const TITLE = 120;

/** What a model said of a turn, as the log keeps it. What the call cost stands in the first event alone. */
export function toAnswerEvents(
  turn: AskedTurn,
  answer: ModelAnswer & { type: "answered" },
  parsed: ParsedAnswer & { type: "usable" },
  occurredAtIso: string,
): HooklineEvent[] {
  const { sessionId, promptId, project } = turn;
  const base = { sessionId, projectPath: project, occurredAtIso, promptId };
  const told: (readonly [number, Readonly<Record<string, unknown>>])[] = [];
  if (parsed.summary !== null) told.push([turn.summaryId, summaryOf(parsed.summary, turn.summary)]);
  for (const [id, content] of parsed.observations) told.push([id, { kind: "observation", content }]);
  const { model, inputTokens, outputTokens } = answer;
  return told.map(([id, item], index) =>
    memoryItemEvent(base, id, "model", {
      ...item,
      model,
      ...(index === 0 && { tokens: { input: inputTokens, output: outputTokens } }),
    }),
  );
}

/** Of what the model did not tell, the rules' words stay. */
function summaryOf(said: SummaryContent, ruled: SummaryContent | null): Record<string, unknown> {
  const summary: SummaryContent = {
    request: said.request ?? ruled?.request ?? null,
    investigated: said.investigated ?? ruled?.investigated ?? null,
    learned: said.learned ?? ruled?.learned ?? null,
    completed: said.completed ?? ruled?.completed ?? null,
    nextSteps: said.nextSteps ?? ruled?.nextSteps ?? null,
  };
  const title = said.completed ?? said.request;
  return {
    kind: "summary",
    summary,
    content: title === null ? {} : { title: clipLine(title, TITLE) },
  };
}
