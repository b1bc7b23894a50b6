import { describe, expect, it } from "vitest";
import { openScope } from "./scope.ts";

describe("a scope", () => {
  it("closes in reverse order, one at a time", async () => {
    const closed: string[] = [];
    const scope = openScope();
    scope.defer(() => closed.push("first"));
    scope.defer(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      closed.push("second");
    });
    scope.defer((ending) => closed.push(`third, ${ending}`));
    await scope.close("crashed");
    expect(closed).toEqual(["third, crashed", "second", "first"]);
  });

  it("closes the rest when one fails, then throws the first failure", async () => {
    const closed: string[] = [];
    const scope = openScope();
    scope.defer(() => closed.push("lock"));
    scope.defer(() => Promise.reject(new Error("log")));
    scope.defer(() => {
      throw new Error("steering");
    });
    await expect(scope.close("stopped")).rejects.toThrow("steering");
    expect(closed).toEqual(["lock"]);
  });

  it("closes nothing once abandoned", async () => {
    const closed: string[] = [];
    const scope = openScope();
    let isLost = false;
    scope.abandonWhen(() => isLost);
    scope.defer(() => closed.push("socket"));
    isLost = true;
    await scope.close("stopped");
    expect(closed).toEqual([]);
  });

  it("closes nothing twice, and includes what is deferred while closing", async () => {
    const closed: string[] = [];
    const scope = openScope();
    scope.defer(() => {
      closed.push("opener");
      scope.defer(() => closed.push("late"));
    });
    await scope.close("stopped");
    await scope.close("stopped");
    expect(closed).toEqual(["opener", "late"]);
  });
});
