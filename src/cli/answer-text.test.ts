import { expect, it } from "vitest";
import { waitingListText } from "./answer-text.ts";
import { card } from "./snapshot.testing.ts";
import { toWaitingRequests } from "./waiting-requests.ts";

const list = (ids: readonly string[]): readonly string[] => {
  const cards = ids.map((id, index) =>
    card({ id, sessionId: `s${index}`, input: { command: `make ${index}` } }),
  );
  return waitingListText({ requests: toWaitingRequests(cards, []), others: [] }, Date.now())
    .split("\n")
    .flatMap((line) => /^ *(\S+).* make \d/.exec(line)?.[1] ?? []);
};

it("shortens ids as far as they stay unique", () => {
  expect(list(["toolu_0123456789a", "toolu_0123456789b"])).toEqual([
    "toolu_0123456789a",
    "toolu_0123456789b",
  ]);
  expect(list(["toolu_0123456789a", "ask_1"])).toEqual(["ask_1", "toolu_0123456"]);
});

it("lists requests that have the same id in logs of earlier versions", () => {
  expect(list(["call_0", "call_0"])).toEqual(["call_0", "call_0"]);
});
