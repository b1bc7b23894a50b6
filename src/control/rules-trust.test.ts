import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createRulesTrust } from "./rules-trust.ts";

function scene() {
  const state = { isApproved: true, text: "a", version: "1", nowMs: 0, looks: 0, looking: Promise.resolve() };
  const trust = createRulesTrust({
    checkProject: async () => {
      state.looks++;
      await state.looking;
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
    await trust.prepare("/p", "a");
    expect(state.looks).toBe(2);
    await setImmediate();
    state.nowMs = 66_000;
    state.isApproved = false;
    await trust.prepare("/p", "a");
    expect(trust.isTrusted("/p", "a")).toBe(false);
    expect(state.looks).toBe(3);
  });

  it("is believed for a minute while a slow look goes on, and one look is enough", async () => {
    const { state, trust } = scene();
    await trust.prepare("/p", "a");
    const slow = Promise.withResolvers<void>();
    state.looking = slow.promise;
    state.isApproved = false;
    for (state.nowMs = 5_000; state.nowMs < 60_000; state.nowMs += 5_000) {
      await trust.prepare("/p", "a");
      expect(trust.isTrusted("/p", "a")).toBe(true);
    }
    expect(state.looks).toBe(2);
    const later = trust.prepare("/p", "a");
    slow.resolve();
    await later;
    expect(trust.isTrusted("/p", "a")).toBe(false);
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
