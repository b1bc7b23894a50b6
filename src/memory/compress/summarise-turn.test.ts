import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SummaryContent } from "../memory-item.ts";
import { command, compressed, PROJECT } from "./call.testing.ts";
import { describeOpenWork, summariseTurn, type TurnCall, type TurnInput } from "./summarise-turn.ts";

const call = (toolName: string, content: TurnCall["content"], success = true): TurnCall => ({
  toolName,
  success,
  content,
});
const read = (path: string) =>
  call(
    "Read",
    compressed({
      toolName: "Read",
      toolInput: { file_path: `${PROJECT}/${path}` },
      success: true,
      metadata: { lineCount: 9 },
    }),
  );
const edit = call(
  "Edit",
  compressed(
    {
      toolName: "Edit",
      toolInput: { file_path: `${PROJECT}/src/cart.ts`, old_string: "a", new_string: "b" },
      success: true,
    },
    { before: "Let me make total() round to cents." },
  ),
);
const failing = call(
  "Bash",
  command("npm test", {
    output: " FAIL  src/cart.test.ts > total\n Tests  2 failed | 39 passed (41)",
    exitCode: 1,
  }),
  false,
);
const passing = call("Bash", command("npm test", { output: " Tests  41 passed (41)" }));
const commit = call("Bash", command("git commit -am x", { output: "[main 1a2b3c4] Round totals" }));

const emptyTurn: TurnInput = { prompt: null, messages: [], lastAnswer: null, calls: [], failed: null };
const turn: TurnInput = {
  prompt: "The cart shows 0.30000000000000004. Please fix that.<system-reminder>never</system-reminder>",
  messages: [
    "Let me look at the cart.",
    "The cause is float addition: total() never rounds. Let me make total() round to cents.<system-reminder>never, because</system-reminder>",
  ],
  lastAnswer: [
    "Fixed the rounding in `total()`.",
    "```ts",
    "// TODO: never",
    "```",
    "- Added a test for 0.1 + 0.2",
    "",
    "## Next steps",
    "- Round in `invoice.ts` as well",
    "- Publish 1.2.0",
    "",
    "The view still formats prices itself. Should I change that too?",
  ].join("\n"),
  calls: [read("src/cart.ts"), read("docs/release.md"), failing, edit, edit, passing, commit],
  failed: null,
};

describe("summariseTurn", () => {
  it("covers request, investigation, findings, results and open work", () => {
    expect(summariseTurn(turn)).toEqual({
      request: "The cart shows 0.30000000000000004. Please fix that.",
      investigated: "Read src/cart.ts, docs/release.md.",
      learned:
        "The cause is float addition: total() never rounds. Seen: npm test failed: 2 of 41 (cart.test.ts).",
      completed:
        "Fixed the rounding in `total()`. Added a test for 0.1 + 0.2. Edited src/cart.ts: make total() round to cents (2 changes). Committed 1a2b3c4: Round totals. npm test passed: 41 tests.",
      nextSteps:
        "Round in `invoice.ts` as well.\nPublish 1.2.0.\nThe view still formats prices itself.\nAsked: Should I change that too?",
    });
  });

  it("understands Korean", () => {
    const korean: TurnInput = {
      ...emptyTurn,
      prompt: "장바구니 합계가 이상해요. 고쳐 주세요.",
      messages: ["먼저 코드를 확인하겠습니다.", "원인은 부동소수점 덧셈 때문입니다."],
      lastAnswer:
        "total() 함수를 수정했습니다.\n\n남은 작업:\n- invoice.ts 반올림\n\n아직 문서는 그대로입니다.",
    };
    expect(summariseTurn(korean)).toEqual({
      request: "장바구니 합계가 이상해요. 고쳐 주세요.",
      investigated: null,
      learned: "원인은 부동소수점 덧셈 때문입니다.",
      completed: "total() 함수를 수정했습니다.",
      nextSteps: "invoice.ts 반올림.\n아직 문서는 그대로입니다.",
    });
  });

  it("leaves failed tests open unless they passed later", () => {
    expect(summariseTurn({ ...emptyTurn, calls: [failing, edit] })?.nextSteps).toBe(
      "Unresolved: npm test failed: 2 of 41 (cart.test.ts).",
    );
    expect(summariseTurn({ ...emptyTurn, calls: [failing, edit] })?.completed).not.toContain("npm test");
    expect(summariseTurn({ ...emptyTurn, calls: [failing, edit, passing] })?.nextSteps).toBeNull();
  });

  it("reports why a turn failed", () => {
    expect(summariseTurn({ ...emptyTurn, prompt: "Go on", failed: "rate_limit" })).toEqual({
      request: "Go on",
      investigated: null,
      learned: null,
      completed: null,
      nextSteps: "The turn failed: rate_limit.",
    });
  });

  it.each([
    ["Done. Next: add `expiresAt` to each coupon.", "add `expiresAt` to each coupon."],
    ["Fixed it. Next, add it to the invoice.", "add it to the invoice."],
    ["**Next:** write the docs", "write the docs."],
    ["Next steps - publish 1.2.0", "publish 1.2.0."],
    ["TODO: rename the module.", "rename the module."],
    ["Remaining: the invoice view.", "the invoice view."],
    ["수정했습니다. 다음: 쿠폰에 만료일을 추가합니다.", "쿠폰에 만료일을 추가합니다."],
    ["다음 작업: 문서 작성", "문서 작성."],
    ["다음 단계：배포", "배포."],
    ["## Next\n- publish\n", "publish."],
    ["## 다음\n- 배포\n", "배포."],
  ])("recognises a next step by its label: %j", (lastAnswer, nextSteps) => {
    expect(summariseTurn({ ...emptyTurn, lastAnswer })?.nextSteps).toBe(nextSteps);
  });

  it.each([
    "I decided that we should keep coupons in code, because there are only ten.",
    "We settled on Postgres, which should be enough for later.",
    "저장소는 Postgres를 쓰기로 결정했습니다.",
    "The next release is out.",
    "결과는 다음과 같습니다.",
  ])("does not treat a decision or a remark as open work: %s", (lastAnswer) => {
    expect(summariseTurn({ ...emptyTurn, lastAnswer })?.nextSteps ?? null).toBeNull();
  });

  it("keeps open work mentioned with a decision", () => {
    const lastAnswer = "I decided to keep coupons in code; the migration is not yet removed.";
    expect(summariseTurn({ ...emptyTurn, lastAnswer })?.nextSteps).toBe(lastAnswer);
  });

  it.each(["This should work now.", "All tests should pass.", "Nothing is left.", "Everything still works."])(
    "does not treat good news as open work: %s",
    (lastAnswer) => {
      expect(summariseTurn({ ...emptyTurn, lastAnswer })?.nextSteps).toBeNull();
    },
  );

  it("returns null when there is nothing to summarise", () => {
    expect(summariseTurn(emptyTurn)).toBeNull();
    const injected = "<system-reminder>x</system-reminder>";
    expect(summariseTurn({ ...emptyTurn, prompt: injected, messages: [injected, " "] })).toBeNull();
  });

  it("is none for an acknowledgement of a machine-written prompt", () => {
    for (const lastAnswer of ["Done.", "All done!", "확인했습니다.", "Noted. Done."])
      expect(summariseTurn({ ...emptyTurn, lastAnswer }), lastAnswer).toBeNull();
    expect(summariseTurn({ ...emptyTurn, lastAnswer: "Fixed `cart.ts`." })).not.toBeNull();
    expect(summariseTurn({ ...emptyTurn, prompt: "fix the cart", lastAnswer: "Done." })).not.toBeNull();
  });

  it("holds no word that was injected", () => {
    expect(JSON.stringify(summariseTurn(turn))).not.toMatch(/never[,"]|TODO/);
  });

  it("is bounded and valid for any input", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc
        .array(
          fc.constantFrom(
            "next",
            "because",
            "Fixed",
            "- ",
            "\n",
            ". ",
            "## Next steps",
            "?",
            "원인",
            "```",
            "<private>",
          ),
          { maxLength: 60 },
        )
        .map((words) => words.join(" ")),
      fc.constant("fixed because next ".repeat(5_000)),
    );
    const calls = fc.array(fc.constantFrom(...turn.calls), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.option(text),
        fc.array(text, { maxLength: 8 }),
        fc.option(text),
        calls,
        fc.option(text),
        (prompt, messages, lastAnswer, turnCalls, failed) => {
          const input: TurnInput = { prompt, messages, lastAnswer, calls: turnCalls, failed };
          const summary = summariseTurn(input);
          if (summary !== null) {
            expect(SummaryContent.parse(summary)).toEqual(summary);
            expect(summary.request?.length ?? 0).toBeLessThanOrEqual(300);
            for (const part of Object.values(summary)) expect(part?.length ?? 1).toBeGreaterThan(0);
            for (const part of Object.values(summary)) expect(part?.length ?? 0).toBeLessThanOrEqual(600);
          }
          expect(describeOpenWork(input)?.length ?? 0).toBeLessThanOrEqual(800);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("describeOpenWork", () => {
  it("covers request, results and open work", () => {
    expect(describeOpenWork({ ...turn, lastAnswer: null, calls: [read("src/cart.ts"), edit, failing] })).toBe(
      [
        "Request: The cart shows 0.30000000000000004. Please fix that.",
        "Done so far: Edited src/cart.ts: make total() round to cents.",
        "Open: Unresolved: npm test failed: 2 of 41 (cart.test.ts). Said last: Let me make total() round to cents.",
      ].join("\n"),
    );
  });

  it("names what was read when nothing is done yet", () => {
    expect(describeOpenWork({ ...emptyTurn, prompt: "Explain the cart", calls: [read("src/cart.ts")] })).toBe(
      "Request: Explain the cart\nLooked at: Read src/cart.ts.",
    );
  });

  it("returns null when there is no text", () => {
    expect(describeOpenWork(emptyTurn)).toBeNull();
  });
});
