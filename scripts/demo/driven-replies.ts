import type { FakeRequest, Turn } from "../../test/support/fake-api.ts";

/** The model's replies in sessions driven from the page; the agent is the real one. */
export function drivenReply({ lastUserText, body }: FakeRequest): Turn {
  const asked = JSON.stringify(body.messages ?? []);
  const results = asked.split('"tool_result"').length - 1;
  if (asked.includes("before the release")) return [READ, EDIT, PUSH][results] ?? { text: "Pushed." };
  if (asked.includes("rounding")) {
    if (results === 0) return READ;
    if (results === 1) return TEST;
    return { text: ANSWER };
  }
  return { text: `I have read this: ${lastUserText.slice(0, 80)}` };
}

const READ: Turn = {
  text: "I will read the cart first.",
  tools: [{ name: "Read", input: { file_path: "src/cart.ts" } }],
};
const TEST: Turn = {
  text: "It adds floating point numbers. Let me see how far that goes wrong.",
  tools: [
    {
      name: "Bash",
      input: {
        command: "ls -l src docs",
        description: "See what belongs to the cart",
      },
    },
  ],
};
const EDIT: Turn = {
  text: "One line of the release notes is out of date.",
  tools: [
    {
      name: "Bash",
      input: { command: "git log --oneline -5", description: "What the release holds" },
    },
  ],
};
const PUSH: Turn = {
  text: "Everything is committed. What is left is the push.",
  tools: [
    {
      name: "Bash",
      input: { command: "git push origin main --follow-tags", description: "Push the release with its tag" },
    },
  ],
};
const ANSWER = `The cart adds prices as floating point numbers, so **0.1 + 0.2** is not 0.3. Three ways out:

| way | what changes | risk |
|---|---|---|
| whole cents | every price is an integer | all callers change |
| round at the end | one line | wrong for long carts |
| a decimal library | a dependency | none, but 32 KB |

I would take **whole cents**:

\`\`\`ts
export const total = (cents: readonly number[]): number =>
  cents.reduce((sum, price) => sum + price, 0);
\`\`\`

- prices are parsed once, at the edge
- what a person sees is formatted once, at the other edge

Shall I go ahead?`;
