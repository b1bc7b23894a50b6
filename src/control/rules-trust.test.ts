import { describe, expect, it } from "vitest";
import { createRulesTrust } from "./rules-trust.ts";

function scene() {
  const state = { isApproved: true, text: "a", version: "1", nowMs: 0, looks: 0 };
  const trust = createRulesTrust({
    look: async () => {
      state.looks++;
      return state.isApproved;
    },
    read: () => state.text,
    version: () => state.version,
    nowMs: () => state.nowMs,
  });
  return { state, trust };
}

describe("trust in a project's rules", () => {
  it("is looked up once for all that is asked within five seconds", async () => {
    const { state, trust } = scene();
    expect(trust.isTrusted("/p", "a")).toBe(false);
    await trust.prepare("/p", "a");
    for (let count = 0; count < 5; count++) expect(trust.isTrusted("/p", "a")).toBe(true);
    expect(state.looks).toBe(1);
    state.nowMs = 5_000;
    state.isApproved = false;
    await trust.prepare("/p", "a");
    expect(trust.isTrusted("/p", "a")).toBe(false);
    expect(state.looks).toBe(2);
  });

  it("is looked up again at once when an approval changes, and never held for another text", async () => {
    const { state, trust } = scene();
    await trust.prepare("/p", "a");
    expect(trust.isTrusted("/p", "b")).toBe(false);
    state.version = "2";
    state.isApproved = false;
    await trust.prepare("/p", "a");
    expect(trust.isTrusted("/p", "a")).toBe(false);
  });

  it("is not given to a text that lay there only for a moment", async () => {
    const { trust } = scene();
    await trust.prepare("/p", "something else");
    expect(trust.isTrusted("/p", "something else")).toBe(false);
  });
});
