import { rowId } from "../../event/ids.ts";
import type { ItemContent } from "../memory-item.ts";
import type { TurnToSummarise } from "./turn-request.ts";

/** A turn as memory reads it. */
export function turnToSummarise(overrides: Partial<TurnToSummarise> = {}): TurnToSummarise {
  const sessionId = overrides.sessionId ?? "s1";
  const promptId = overrides.promptId ?? "p1";
  return {
    sessionId,
    promptId,
    project: "/home/dev/acme-shop",
    prompt: "Fix the rounding of the cart's total",
    lastMessage: "The total is rounded to cents now, and the test passes.",
    summaryId: rowId("summary", `${sessionId}\n${promptId}`),
    summary: {
      request: "Fix the rounding",
      investigated: "cart.ts",
      learned: null,
      completed: null,
      nextSteps: null,
    },
    observations: [
      { id: 7001, content: content({ title: "Edited cart.ts", facts: ["total() rounds to cents"] }) },
      { id: 7002, content: content({ type: "test", title: "npm test passes", facts: ["12 tests passed"] }) },
    ],
    ...overrides,
  };
}

export function content(overrides: Partial<ItemContent> = {}): ItemContent {
  return {
    type: "change",
    title: "A title",
    facts: [],
    narrative: null,
    filesRead: [],
    filesModified: [],
    concepts: [],
    ...overrides,
  };
}

export const ANSWER = `<summary><request>Round the cart's total</request><learned>Prices are floats</learned><completed>total() rounds to cents</completed></summary>
<observations><observation id="1"><type>fix</type><title>Cart total is rounded to cents</title><facts><fact>total() in cart.ts used raw floats</fact></facts><narrative>0.1 + 0.2 showed on invoices.</narrative><concepts><concept>Rounding</concept></concepts></observation></observations>`;
