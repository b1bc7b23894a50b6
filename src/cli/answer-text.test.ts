import { expect, it } from "vitest";
import { waitingListText } from "./answer-text.ts";
import { card } from "./snapshot.testing.ts";
import { toWaitingRequests } from "./waiting-requests.ts";

const list = (ids: readonly string[]): readonly string[] => {
  const cards = ids.map((id, at) => card({ id, sessionId: `s${at}`, input: { command: `make ${at}` } }));
  return waitingListText({ requests: toWaitingRequests(cards, []), others: [] }, Date.now())
    .split("\n")
    .flatMap((line) => /^ *(\S+).* make \d/.exec(line)?.[1] ?? []);
};

it("names requests by as much of their ids as tells them apart", () => {
  expect(list(["toolu_0123456789a", "toolu_0123456789b"])).toEqual([
    "toolu_0123456789a",
    "toolu_0123456789b",
  ]);
  expect(list(["toolu_0123456789a", "ask_1"])).toEqual(["ask_1", "toolu_0123456"]);
});

it("lists requests that a log of an earlier version gave the same id", () => {
  expect(list(["call_0", "call_0"])).toEqual(["call_0", "call_0"]);
});
