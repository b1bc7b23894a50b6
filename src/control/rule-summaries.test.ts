import { expect, it } from "vitest";
import { readRules } from "../policy/rules-file.ts";
import { toRuleSummaries } from "./rule-summaries.ts";

it("a reaction is listed with what it runs, says or sends, and never with a secret", () => {
  const actions = [
    { type: "command", command: "make lint" },
    { type: "notify", title: "My title", text: "It waits \u001b[2J now" },
    { type: "webhook", url: "https://example.com/in", secretHeader: "X-Key: s3cret" },
    { type: "speak", text: "Done" },
    { type: "env", set: { API_KEY: "s3cret", CI: "1" } },
  ];
  const reading = readRules(
    JSON.stringify({
      reactions: actions.map((act) => ({ on: act.type === "env" ? "SessionStart" : "Stop", do: act })),
    }),
    "user",
  );
  const faces = reading.type === "rules" ? toRuleSummaries(reading.rules, "user") : [];
  expect(faces.map(({ does, detail }) => [does, detail])).toEqual([
    ["command", "make lint"],
    ["notify", expect.stringMatching(/^It waits .*now$/)],
    ["webhook", "https://example.com/in"],
    ["speak", "Done"],
    ["env", "API_KEY, CI"],
  ]);
  expect(JSON.stringify(faces)).not.toMatch(/s3cret|\\u001b/);
});
