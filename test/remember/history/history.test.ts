import { describe, expect, it } from "vitest";
import { redactEvent } from "../../../src/capture/redact-event.ts";
import { isEvent } from "../../../src/event/event.ts";
import { toLine } from "../../../src/event/line.ts";
import { dumpTables, openPipeline } from "../../support/pipeline.ts";
import { evaluate, type JudgedQuestion, QUESTION_KINDS } from "./evaluate.ts";
import { historyEvents, historyRecords, historySessions, translatedRecords } from "./history.ts";
import { type HistoryAnswer, historyQrels, historyQuestions } from "./qrels.ts";
import { PROJECTS, TOOLS } from "./story.ts";

const events = historyEvents();
const translated = translatedRecords().flat();
const questions = historyQuestions();
const observed = new Map(
  events
    .filter(({ eventType, origin }) => eventType === "tool_observation" && origin === "hook")
    .map((event) => [event.toolUseId!, event]),
);
const asked = new Set(events.filter(({ eventType }) => eventType === "turn.start").map((e) => e.promptId!));

const taken = takeIn();

async function takeIn(): Promise<ReturnType<typeof dumpTables>> {
  const pipeline = await openPipeline();
  await pipeline.appendEvents(events);
  const tables = dumpTables(pipeline.store);
  await pipeline.close();
  return tables;
}

function toolUseOf(answer: HistoryAnswer): string {
  return "toolUseId" in answer ? answer.toolUseId : "";
}

/** Removes undefined fields. */
function filled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe("the history", () => {
  it("is three months of work in several projects", () => {
    const sessions = historySessions();
    expect(new Set(sessions.map(({ project }) => project.name)).size).toBe(PROJECTS.length);
    expect(PROJECTS.length).toBeGreaterThanOrEqual(6);
    expect(sessions.length).toBeGreaterThanOrEqual(60);
    expect(observed.size).toBeGreaterThanOrEqual(1_500);
    const days = (sessions.at(-1)!.startMs - sessions[0]!.startMs) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(80);
    const korean = [...observed.values()].filter((event) => /\p{Script=Hangul}/u.test(toLine(event)));
    expect(korean.length).toBeGreaterThanOrEqual(200);
    const failed = [...observed.values()].filter(({ payload }) => payload?.success === false);
    expect(failed.length).toBeGreaterThanOrEqual(120);
  });

  it("is the same each time", () => {
    expect(historyEvents().map(toLine)).toEqual(events.map(toLine));
  });

  it("is in chronological order, each session from start to end", () => {
    const times = historyRecords().map(({ t }) => t);
    expect(times).toEqual([...times].sort());
    const first = new Map<string, string>();
    const last = new Map<string, string>();
    for (const { sessionId, phase, eventType } of events) {
      const name = phase ?? eventType;
      if (!first.has(sessionId)) first.set(sessionId, name);
      last.set(sessionId, name);
    }
    expect(new Set(first.values())).toEqual(new Set(["started"]));
    expect(new Set(last.values())).toEqual(new Set(["ended"]));
  });

  it("contains nothing that the translator does not know", () => {
    expect(translated.filter(({ eventType }) => eventType === "agent.event")).toEqual([]);
    expect(translated.every(isEvent)).toBe(true);
    const tools = new Set([...observed.values()].map(({ payload }) => payload?.toolName));
    expect([...tools].sort()).toEqual([...TOOLS].sort());
  });

  it("has text before many calls and at the end of every turn", () => {
    const words = events.filter(({ eventType }) => eventType === "assistant.message").map(toLine);
    expect(words.filter((line) => line.includes('"type":"text"')).length).toBeGreaterThan(600);
    const ends = events.filter(({ eventType }) => eventType === "turn.end");
    expect(ends.length).toBe(asked.size);
    expect(ends.filter((end) => !end["lastAssistantMessage"])).toEqual([]);
  });

  it("is applied completely by a store", async () => {
    const { observations, user_prompts, sdk_sessions } = await taken;
    expect(observations!.length).toBe(observed.size);
    expect(user_prompts!.length).toBe(asked.size);
    expect(sdk_sessions!.length).toBe(historySessions().length);
  });

  it("contains nothing that masking would replace", () => {
    expect(events.map(toLine).filter((line) => /\[REDACTED:|\[TRUNCATED\]/.test(line))).toEqual([]);
    const answering = new Set(questions.flatMap(({ answers }) => answers.map(toolUseOf)));
    const whole = translated.filter(({ toolUseId }) => toolUseId != null && answering.has(toolUseId));
    expect(whole.length).toBeGreaterThan(250);
    for (const event of whole) expect(redactEvent(event).payload).toEqual(filled(event.payload));
  });
});

describe("the questions", () => {
  it("are sixty, of every kind and in both languages", () => {
    expect(questions.length).toBe(60);
    const count = (kind: string): number => questions.filter((question) => question.kind === kind).length;
    expect(QUESTION_KINDS.filter((kind) => count(kind) === 0)).toEqual([]);
    expect(count("exact_name")).toBeGreaterThanOrEqual(15);
    expect(count("error_text")).toBeGreaterThanOrEqual(10);
    expect(count("paraphrase")).toBeGreaterThanOrEqual(12);
    expect(count("decision")).toBeGreaterThanOrEqual(5);
    expect(questions.filter(({ lang }) => lang === "ko").length).toBeGreaterThanOrEqual(20);
    expect(new Set(questions.map(({ text }) => text)).size).toBe(60);
  });

  it("have answers in the history, in their own project", () => {
    const sessions = new Map(events.map(({ sessionId, projectPath }) => [sessionId, projectPath]));
    for (const { qid, answers, project } of questions) {
      expect(answers.length, qid).toBeGreaterThan(0);
      for (const answer of answers) {
        const sessionId =
          "toolUseId" in answer ? observed.get(answer.toolUseId)?.sessionId : answer.sessionId;
        if ("promptId" in answer) expect(asked, qid).toContain(answer.promptId);
        expect(sessions.has(sessionId ?? ""), qid).toBe(true);
        if (project !== null) expect(sessions.get(sessionId!), qid).toBe(project);
      }
    }
  });

  it("map to ids of a store: observations, summaries, and prompts where the prompt contains the answer", async () => {
    const { observations, user_prompts } = await taken;
    const known = new Set([...observations!, ...user_prompts!].map((row) => (row as { id: number }).id));
    const qrels = historyQrels();
    for (const [index, { answers }] of questions.entries()) {
      const turns = answers.filter((answer) => "item" in answer);
      const told = turns.filter(({ item }) => item === "turn");
      expect(qrels[index]!.answers.size).toBe(answers.length + told.length);
      // Summaries are added later.
      const inStore = [...qrels[index]!.answers].filter((id) => known.has(id));
      expect(inStore.length).toBe(answers.length - turns.length + told.length);
    }
  });
});

describe("evaluating rankings", () => {
  const question = (qid: string, lang: "en" | "ko", ...answers: number[]): JudgedQuestion => {
    return { qid, text: "", lang, kind: "korean", project: null, answers: new Set(answers) };
  };
  const asked = [question("a", "en", 1, 2), question("b", "ko", 7), question("c", "ko", 9)];
  const rankings = new Map([
    ["a", [5, 2, 1]],
    ["b", [0, 0, 0, 0, 0, 7]],
    ["c", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]],
  ]);

  it("counts a question as answered by the first of its alternatives", () => {
    const { overall } = evaluate(asked, rankings);
    expect(overall.questions).toBe(3);
    expect(overall.r5).toBeCloseTo(1 / 3);
    expect(overall.r10).toBeCloseTo(2 / 3);
    expect(overall.mrr).toBeCloseTo((1 / 2 + 1 / 6) / 3);
    expect(overall.ndcg10).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(7)) / 3);
  });

  it("reports figures by language and kind, and the misses", () => {
    const { byLang, byKind, missed } = evaluate(asked, rankings);
    expect(byLang.en.r5).toBe(1);
    expect(byLang.ko.r10).toBe(0.5);
    expect(byKind.korean.questions).toBe(3);
    expect(byKind.decision.questions).toBe(0);
    expect(missed).toEqual(["c"]);
  });

  it("counts a question without a ranking as unanswered", () => {
    expect(evaluate(asked, new Map()).overall.r10).toBe(0);
  });
});
