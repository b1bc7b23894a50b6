import { promptFactId } from "../../../src/agents/claude/prompts.ts";
import { AppError } from "../../../src/app-error.ts";
import { rowId } from "../../../src/event/ids.ts";
import type { JudgedQuestion, QuestionKind } from "./evaluate.ts";
import { historySessions } from "./history.ts";
import { type AskedQuestion, QUESTIONS } from "./questions.ts";
import { callName, promptIdOf, sessionIdOf, toolUseIdOf, turnName } from "./session-records.ts";

/** The answer to a question: the observation of a call, or the summary (or also the prompt) of a turn. */
export type HistoryAnswer =
  | { readonly toolUseId: string }
  | {
      readonly sessionId: string;
      readonly promptId: string;
      readonly prompt: string;
      readonly item: "summary" | "turn";
    };

export interface HistoryQuestion {
  readonly qid: string;
  readonly text: string;
  readonly lang: "en" | "ko";
  readonly kind: QuestionKind;
  readonly project: string | null;
  readonly answers: readonly HistoryAnswer[];
}

/** Maps items to the ids of a store. */
export interface ItemIdOf {
  observation(toolUseId: string): number;
  summary(sessionId: string, promptId: string): number;
  prompt(promptId: string, prompt: string): number;
}

/** The ids in our own database. */
const STORE_IDS: ItemIdOf = {
  observation: (toolUseId) => rowId("observation", toolUseId),
  summary: (sessionId, promptId) => rowId("summary", `${sessionId}\n${promptId}`),
  prompt: (promptId, prompt) => rowId("prompt", promptFactId(promptId, prompt)),
};

/** The questions, judged with the ids of a store that contains the history. */
export function historyQrels(itemIdOf: ItemIdOf = STORE_IDS): JudgedQuestion[] {
  return historyQuestions().map((question) => ({
    ...question,
    answers: new Set(question.answers.flatMap((answer) => idsOf(answer, itemIdOf))),
  }));
}

export function historyQuestions(): HistoryQuestion[] {
  const named = nameAnswers();
  return QUESTIONS.map((question) => ({ ...question, answers: answersOf(question, named) }));
}

function idsOf(answer: HistoryAnswer, itemIdOf: ItemIdOf): number[] {
  if ("toolUseId" in answer) return [itemIdOf.observation(answer.toolUseId)];
  const { sessionId, promptId, prompt, item } = answer;
  const summary = itemIdOf.summary(sessionId, promptId);
  return item === "turn" ? [summary, itemIdOf.prompt(promptId, prompt)] : [summary];
}

function answersOf(question: AskedQuestion, named: ReadonlyMap<string, HistoryAnswer>): HistoryAnswer[] {
  return question.answers.split(" ").map((name) => {
    const answer = named.get(name.replace("?", ""));
    if (answer === undefined) throw new AppError("bad_question", `No story holds ${name} (${question.qid}).`);
    return name.endsWith("?") && "promptId" in answer ? { ...answer, item: "turn" } : answer;
  });
}

/** Every named call and turn of the stories. */
function nameAnswers(): Map<string, HistoryAnswer> {
  const named = new Map<string, HistoryAnswer>();
  const put = (name: string, answer: HistoryAnswer): void => {
    if (named.has(name)) throw new AppError("bad_story", `${name} is there twice.`);
    named.set(name, answer);
  };
  for (const session of historySessions()) {
    for (const [at, turn] of session.turns.entries()) {
      const name = turnName(turn, at);
      const sessionId = sessionIdOf(session.key);
      const promptId = promptIdOf(session.key, name);
      put(`${session.key}/${name}`, { sessionId, promptId, prompt: turn.prompt, item: "summary" });
      for (const [index, call] of turn.calls.entries()) {
        const callKey = callName(call, name, index);
        put(`${session.key}/${callKey}`, { toolUseId: toolUseIdOf(session.key, callKey) });
      }
    }
  }
  return named;
}
