/** Measures rankings by question. Pure: ids and judgements in, figures out. */

export const QUESTION_KINDS = [
  "exact_name",
  "error_text",
  "paraphrase",
  "korean",
  "decision",
  "when_file",
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** A question with the ids of the items that answer it. */
export interface JudgedQuestion {
  readonly qid: string;
  readonly text: string;
  readonly lang: "en" | "ko";
  readonly kind: QuestionKind;
  readonly project: string | null;
  /** Alternatives: any one is an answer. */
  readonly answers: ReadonlySet<number>;
}

export interface Figures {
  readonly questions: number;
  /** Share of questions with an answer among the first 5. */
  readonly r5: number;
  readonly r10: number;
  /** nDCG of the first answer: 1 at rank 1, 0.63 at rank 2, 0 beyond rank 10. */
  readonly ndcg10: number;
  /** Mean of 1 / rank of the first answer, 0 beyond rank 10. */
  readonly mrr: number;
}

export interface Evaluation {
  readonly overall: Figures;
  readonly byKind: Readonly<Record<QuestionKind, Figures>>;
  readonly byLang: Readonly<Record<"en" | "ko", Figures>>;
  /** Questions without an answer in the first ten. */
  readonly missed: readonly string[];
}

/**
 * Recall here means whether any answer is found, not how many: answers are alternatives, and one is
 * enough. For the same reason nDCG counts only the best rank: its ideal is one answer, at the top.
 */
export function evaluate(
  questions: readonly JudgedQuestion[],
  rankings: ReadonlyMap<string, readonly number[]>,
): Evaluation {
  const placed = questions.map((question) => ({ ...question, place: firstAnswer(question, rankings) }));
  const of = (keep: (question: Placed) => boolean): Figures => figures(placed.filter(keep));
  return {
    overall: figures(placed),
    byKind: fromKeys(QUESTION_KINDS, (kind) => of((question) => question.kind === kind)),
    byLang: fromKeys(["en", "ko"] as const, (lang) => of((question) => question.lang === lang)),
    missed: placed.filter(({ place }) => place > 10).map(({ qid }) => qid),
  };
}

interface Placed extends JudgedQuestion {
  readonly place: number;
}

/** From 1; infinity where there is none. */
function firstAnswer(question: JudgedQuestion, rankings: ReadonlyMap<string, readonly number[]>): number {
  const at = rankings.get(question.qid)?.findIndex((id) => question.answers.has(id)) ?? -1;
  return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
}

function figures(placed: readonly Placed[]): Figures {
  const mean = (value: (place: number) => number): number =>
    placed.length === 0 ? 0 : placed.reduce((sum, { place }) => sum + value(place), 0) / placed.length;
  return {
    questions: placed.length,
    r5: mean((place) => (place <= 5 ? 1 : 0)),
    r10: mean((place) => (place <= 10 ? 1 : 0)),
    ndcg10: mean((place) => (place <= 10 ? 1 / Math.log2(place + 1) : 0)),
    mrr: mean((place) => (place <= 10 ? 1 / place : 0)),
  };
}

function fromKeys<K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
}
