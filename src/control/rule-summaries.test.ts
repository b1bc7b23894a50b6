import { expect, it } from "vitest";
import { readRules } from "../policy/rules-file.ts";
import { toRuleSummaries } from "./rule-summaries.ts";

it("lists a reaction with what it runs, says or sends, without secrets", () => {
  const actions = [
    { type: "command", command: "make lint" },
    { type: "notify", title: "My title", text: "It waits \u001b[2J now" },
    { type: "webhook", url: "https://example.com/in", secretHeader: "X-Key: s3cret" },
    { type: "speak", text: "Done" },
    { type: "env", set: { API_KEY: "s3cret", CI: "1" } },
  ];
  const reading = readRules(
    JSON.stringify({
      reactions: actions.map((action) => ({
        on: action.type === "env" ? "SessionStart" : "Stop",
        do: action,
      })),
    }),
    "user",
  );
  const summaries = reading.type === "rules" ? toRuleSummaries(reading.rules, "user") : [];
  expect(summaries.map(({ does, detail }) => [does, detail])).toEqual([
    ["command", "make lint"],
    ["notify", expect.stringMatching(/^It waits .*now$/)],
    ["webhook", "https://example.com/in"],
    ["speak", "Done"],
    ["env", "API_KEY, CI"],
  ]);
  expect(JSON.stringify(summaries)).not.toMatch(/s3cret|\\u001b/);
});
