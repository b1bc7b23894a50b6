import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createRulesTrust } from "./rules-trust.ts";

function setUp() {
  const state = {
    isApproved: true,
    text: "a",
    version: "1",
    nowMs: 0,
    checks: 0,
    pendingCheck: Promise.resolve(),
  };
  const trust = createRulesTrust({
    checkProject: async () => {
      state.checks++;
      await state.pendingCheck;
      return state.isApproved;
    },
    read: () => state.text,
    version: () => state.version,
    nowMs: () => state.nowMs,
  });
  return { state, trust };
}

describe("trust in a project's rules", () => {
  it("is checked once within five seconds", async () => {
    const { state, trust } = setUp();
    expect(trust.isTrusted("/p", "a")).toBe(false);
    await trust.prepare("/p", "a");
    for (let count = 0; count < 5; count++) expect(trust.isTrusted("/p", "a")).toBe(true);
    expect(state.checks).toBe(1);
    state.nowMs = 5_000;
    await trust.prepare("/p", "a");
    expect(state.checks).toBe(2);
    await setImmediate();
    state.nowMs = 66_000;
    state.isApproved = false;
    await trust.prepare("/p", "a");
    expect(trust.isTrusted("/p", "a")).toBe(false);
    expect(state.checks).toBe(3);
  });

  it("is reused for a minute while one slow check runs", async () => {
    const { state, trust } = setUp();
    await trust.prepare("/p", "a");
    const slow = Promise.withResolvers<void>();
    state.pendingCheck = slow.promise;
    state.isApproved = false;
    for (state.nowMs = 5_000; state.nowMs < 60_000; state.nowMs += 5_000) {
      await trust.prepare("/p", "a");
      expect(trust.isTrusted("/p", "a")).toBe(true);
    }
    expect(state.checks).toBe(2);
    const later = trust.prepare("/p", "a");
    slow.resolve();
    await later;
    expect(trust.isTrusted("/p", "a")).toBe(false);
  });

  it("is checked again as soon as an approval changes, and never applies to another text", async () => {
    const { state, trust } = setUp();
    await trust.prepare("/p", "a");
    expect(trust.isTrusted("/p", "b")).toBe(false);
    state.version = "2";
    state.isApproved = false;
    await trust.prepare("/p", "a");
    expect(trust.isTrusted("/p", "a")).toBe(false);
  });

  it("is not granted to a text that is no longer on disk", async () => {
    const { trust } = setUp();
    await trust.prepare("/p", "something else");
    expect(trust.isTrusted("/p", "something else")).toBe(false);
  });
});
