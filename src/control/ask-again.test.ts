import { expect, it } from "vitest";
import { toAskAgainPrompt } from "./ask-again.ts";
import { toDrivenCard } from "./driven-cards.ts";

const place = { projectPath: "/w", cwd: "/w" };
const asked = {
  reason: "",
  rule: null,
  agentId: null,
  agentType: null,
  sinceIso: "2026-01-01T00:00:00.000Z",
};

it("includes the text of the lost questions", () => {
  const questions = ["Which database?", "Which port?"].map((question) => ({ question, options: [] }));
  const question = { ...asked, kind: "question", tool: "AskUserQuestion", toolUseId: "t1" } as const;
  const card = toDrivenCard("s1", place, { ...question, requestId: undefined, input: { questions } });
  expect(toAskAgainPrompt({ ...card, status: "lost" }, "t1")).toMatch(
    /^Your questions could not be answered, .*: Which database\?\nWhich port\?\nIf it is/,
  );
});
