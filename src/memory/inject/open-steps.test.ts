import { describe, expect, it } from "vitest";
import type { MemoryItem } from "../memory-item.ts";
import { makeItem, makeTurn } from "./items.testing.ts";
import { findOpenFailures } from "./open-failures.ts";
import { findOpenSteps, splitSteps } from "./open-steps.ts";

const newestFirst = (items: readonly MemoryItem[]) => [...items].reverse();
const openSteps = (...items: MemoryItem[]) => findOpenSteps(newestFirst(items)).map(({ step }) => step);
const openFailureIds = (...items: MemoryItem[]) => findOpenFailures(newestFirst(items)).map(({ id }) => id);

describe("splitSteps and findOpenSteps", () => {
  it.each([
    ["- add tests\n- [x] done already\n* [ ] write docs", ["add tests", "write docs"]],
    ["1. first thing 2. second thing", ["first thing", "second thing"]],
    ["Add tests; then release", ["Add tests", "then release"]],
    ["None.", []],
    ["없음", []],
    ["nothing, all done.", []],
    ["Nothing to do.", []],
    ["none, everything is in place.", []],
    ["No further work is needed.", []],
    ["No more changes are required", []],
    ["Nothing left to do for now", []],
    ["특별히 할 일은 없습니다.", []],
    ["더 이상 남은 작업이 없습니다", []],
    ["Nothing is tested yet: add tests", ["Nothing is tested yet: add tests"]],
    ["no-op the retry when steps is empty", ["no-op the retry when steps is empty"]],
    ["None - but add tests for refunds", ["None - but add tests for refunds"]],
    ["문서가 없습니다", ["문서가 없습니다"]],
    ["", []],
  ])("split %j into %j", (text, expected) => {
    expect(splitSteps(text)).toEqual(expected);
  });

  it("keep a step open until later work completes it, in any session", () => {
    const planned = makeTurn(1, { nextSteps: "Add tests for the cart total\nDocument the refund flow" });
    expect(openSteps(planned)).toEqual(["Add tests for the cart total", "Document the refund flow"]);
    const done = makeTurn(2, { completed: "Added cart total tests." }, { sessionId: "s2" });
    expect(openSteps(planned, done)).toEqual(["Document the refund flow"]);
    const before = makeTurn(0, { completed: "Documented the refund flow" });
    expect(openSteps(before, planned, done)).toEqual(["Document the refund flow"]);
    const change = makeItem(3, { title: "Wrote docs/refund-flow.md", facts: ["Documents the refund flow"] });
    expect(openSteps(planned, done, change)).toEqual([]);
    expect(openSteps(planned, done, { ...change, success: false })).toEqual(["Document the refund flow"]);
  });

  it("use the session's last list, without duplicates", () => {
    const first = makeTurn(1, { nextSteps: "Rename the module" });
    const second = makeTurn(2, { nextSteps: "Publish version two" });
    const other = makeTurn(3, { nextSteps: "Publish the version two package" }, { sessionId: "s2" });
    expect(openSteps(first, second)).toEqual(["Publish version two"]);
    expect(openSteps(first, second, other)).toEqual(["Publish the version two package"]);
  });

  it("work in Korean", () => {
    const planned = makeTurn(1, { nextSteps: "결제 모듈 테스트 추가\n환불 문서 작성" });
    const done = makeTurn(2, { completed: "결제 모듈 테스트를 추가했습니다" });
    expect(openSteps(planned)).toHaveLength(2);
    expect(openSteps(planned, done)).toEqual(["환불 문서 작성"]);
  });

  it("resolve a failure step when the same command succeeds", () => {
    const planned = makeTurn(1, { nextSteps: "Unresolved: npm test failed: 2 of 30 (cart.test.ts)" });
    expect(openSteps(planned)).toHaveLength(1);
    expect(openSteps(planned, makeItem(2, { type: "test", title: "npm test passed: 30 tests" }))).toEqual([]);
    expect(openSteps(planned, makeItem(2, { type: "test", title: "npm run lint passed" }))).toHaveLength(1);
    // A pipe hides the exit code.
    expect(
      openSteps(planned, makeItem(2, { type: "failure", title: "npm test failed: 1 of 30" })),
    ).toHaveLength(1);
  });
});

describe("findOpenSteps with a question", () => {
  const question = makeTurn(3, { nextSteps: "Asked: Should coupons be kept in code or in the database?" });
  const decision = (id: number, title: string, rest: Partial<MemoryItem> = {}) =>
    makeItem(id, { type: "decision", title }, { sessionId: "s2", ...rest });

  it("keeps it open without an answer", () => {
    expect(openSteps(question)).toHaveLength(1);
    expect(
      openSteps(question, makeTurn(4, { completed: "Renamed a module" }, { sessionId: "s2" })),
    ).toHaveLength(1);
    expect(openSteps(question, decision(4, "Round totals in cents"))).toHaveLength(1);
  });

  it("resolves it by the next prompt of its session", () => {
    expect(openSteps(question, makeTurn(4, { request: "in code" }, { promptNumber: 2 }))).toEqual([]);
  });

  it("resolves it by a decision on it, in any session or the same turn", () => {
    expect(openSteps(question, decision(4, "Coupons are kept in code, not in the database"))).toEqual([]);
    const chosen = "User chose: Coupons in code or database? code";
    expect(openSteps(decision(2, chosen, { sessionId: "s1" }), question)).toEqual([]);
    expect(openSteps(decision(2, chosen), question)).toHaveLength(1);
  });
});

describe("findOpenFailures", () => {
  const runItem = (id: number, command: string, success: boolean) =>
    makeItem(
      id,
      { type: success ? "test" : "failure", title: `run ${id}`, facts: [`Command: ${command}`] },
      { success },
    );

  it("keeps a failure until the same command passes, however its output is shortened", () => {
    expect(openFailureIds(runItem(1, "npm test", false))).toEqual([1]);
    expect(
      openFailureIds(
        runItem(1, "npm test", false),
        runItem(2, "cd /srv/shop && npm  test 2>&1 | tail -20", true),
      ),
    ).toEqual([]);
    expect(openFailureIds(runItem(1, "npm test", false), runItem(2, "npm run lint", true))).toEqual([1]);
    expect(openFailureIds(runItem(1, "npm test", true), runItem(2, "npm test", false))).toEqual([2]);
  });

  const commandItem = (id: number, command: string, type: "command" | "discovery" = "command") =>
    makeItem(id, { type, title: `Ran ${command}`, facts: [`Command: ${command}`] });
  const testItem = (id: number, command: string, isFailed: boolean) =>
    makeItem(id, {
      type: isFailed ? "failure" : "test",
      title: `run ${id}`,
      facts: [isFailed ? "Tests: 1 passed, 1 failed" : "Tests: 2 passed, 0 failed", `Command: ${command}`],
    });

  it.each([
    ["npm test 2>&1 | tail -30", "npm test 2>&1 | grep -E '^# (pass|fail)'"],
    ["npm test", "npm test > out.log 2>&1; cat out.log"],
    ["cd web && npm run test | tee log", "CI=1 npm t --silent"],
    ["npm run build && npm test", "npm test"],
    ["npx vitest run src/cart.test.ts", "npx vitest run | tail -5"],
  ])("resolves failed tests by a passing run of them: %s, then %s", (failed, passed) => {
    expect(openFailureIds(testItem(1, failed, true), testItem(2, passed, false))).toEqual([]);
  });

  it.each([
    ["npx vitest run", "npx vitest run src/cart.test.ts"],
    ["npm test", "npm run test:unit"],
    ["npm test", "npm run lint"],
  ])("keeps failed tests when others passed: %s, then %s", (failed, passed) => {
    expect(openFailureIds(testItem(1, failed, true), testItem(2, passed, false))).toEqual([1]);
  });

  it.each([
    ["npm run build", "cd web; npm run build >/dev/null 2>&1"],
    ["npm run build", "npm run lint && npm run build"],
    ["npm run build", "set -o pipefail; npm run build | tail"],
    ["make a && make b", "make b && make a"],
    ["docker compose up", "sudo docker compose up"],
  ])("resolves a failed command by its success, whatever the item's type: %s, then %s", (failed, passed) => {
    expect(openFailureIds(runItem(1, failed, false), commandItem(2, passed))).toEqual([]);
    expect(openFailureIds(runItem(1, failed, false), commandItem(2, passed, "discovery"))).toEqual([]);
  });

  it.each([
    ["npm run build", "npm run build || true"],
    ["npm run build", "npm run build; echo done"],
    ["npm run build", "npm run lint && npm run build | tail"],
    ["npm run build", "if npm run build; then echo ok; fi"],
    ["make a && make b", "make a"],
  ])("keeps a failure if a success does not prove the same: %s, then %s", (failed, passed) => {
    expect(openFailureIds(runItem(1, failed, false), commandItem(2, passed))).toEqual([1]);
  });

  it("lists a failure once, by its last run", () => {
    expect(
      openFailureIds(runItem(1, "npm test", false), runItem(2, "npm test", false), runItem(3, "make", false)),
    ).toEqual([3, 2]);
  });

  it("resolves a failed edit by an edit of that file", () => {
    const failed = makeItem(
      1,
      { type: "failure", title: "Edit failed", filesRead: ["/srv/shop/a.ts"] },
      { toolName: "Edit", success: false },
    );
    const edited = (file: string) => makeItem(2, { filesModified: [file] }, { toolName: "Edit" });
    expect(openFailureIds(failed, edited("/srv/shop/b.ts"))).toEqual([1]);
    expect(openFailureIds(failed, edited("/srv/shop/a.ts"))).toEqual([]);
  });

  it("does not include lookups that found nothing", () => {
    expect(openFailureIds(runItem(1, "ls /nowhere", false), runItem(2, "cat x | wc", false))).toEqual([]);
    expect(openFailureIds(makeItem(1, { type: "failure" }, { toolName: "Read", success: false }))).toEqual(
      [],
    );
  });
});
