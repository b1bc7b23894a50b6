import type { HooklineEvent } from "../../event/event.ts";
import { memoryItemEvent } from "../../event/memory-events.ts";
import { clipLine } from "../compress/clean-text.ts";
import type { SummaryContent } from "../memory-item.ts";
import type { ModelAnswer } from "./model-answer.ts";
import type { ParsedAnswer } from "./parse-answer.ts";
import type { TurnToSummarise } from "./turn-request.ts";

const MAX_TITLE_CHARS = 120;

/** A model's answer about a turn, as logged. Only the first event carries the cost of the call. */
export function toAnswerEvents(
  turn: TurnToSummarise,
  answer: ModelAnswer & { type: "answered" },
  parsed: ParsedAnswer & { type: "usable" },
  occurredAtIso: string,
): HooklineEvent[] {
  const { sessionId, promptId, project } = turn;
  const base = { sessionId, projectPath: project, occurredAtIso, promptId };
  const items: (readonly [number, Readonly<Record<string, unknown>>])[] = [];
  if (parsed.summary !== null) items.push([turn.summaryId, summaryOf(parsed.summary, turn.summary)]);
  for (const [id, content] of parsed.observations) items.push([id, { kind: "observation", content }]);
  const { model, inputTokens, outputTokens } = answer;
  return items.map(([id, item], index) =>
    memoryItemEvent(base, id, "model", {
      ...item,
      model,
      ...(index === 0 && { tokens: { input: inputTokens, output: outputTokens } }),
    }),
  );
}

/** Keeps the rules' text for what the model left out. */
function summaryOf(answered: SummaryContent, byRules: SummaryContent | null): Record<string, unknown> {
  const summary: SummaryContent = {
    request: answered.request ?? byRules?.request ?? null,
    investigated: answered.investigated ?? byRules?.investigated ?? null,
    learned: answered.learned ?? byRules?.learned ?? null,
    completed: answered.completed ?? byRules?.completed ?? null,
    nextSteps: answered.nextSteps ?? byRules?.nextSteps ?? null,
  };
  const title = answered.completed ?? answered.request;
  return {
    kind: "summary",
    summary,
    content: title === null ? {} : { title: clipLine(title, MAX_TITLE_CHARS) },
  };
}
