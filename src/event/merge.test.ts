import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BaseEvent, type HooklineEvent, isEvent, ORIGINS } from "./event.ts";
import { mergeEvents, normalizeEvent } from "./merge.ts";

const value = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.nat(3),
  fc.constantFrom("a", "b", "c"),
  fc.constant({ x: 1 }),
);
const telling: fc.Arbitrary<HooklineEvent> = fc
  .record({
    origin: fc.constantFrom(...ORIGINS),
    occurredAtIso: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z"),
    sessionId: fc.constantFrom("s", "t"),
    projectPath: fc.constantFrom(null, "/p"),
    cwd: fc.constantFrom(null, "/p", "/q"),
    promptId: fc.constantFrom(undefined, "p"),
    payload: fc.dictionary(fc.constantFrom("toolOutput", "success", "toolInput", "durationMs", "a.b"), value),
    metadata: fc.dictionary(fc.constantFrom("exitCode", "command"), value),
    blocks: fc.dictionary(fc.constantFrom("0", "1"), value),
    note: value,
  })
  .map(({ metadata, payload, ...rest }) => ({
    v: 1,
    id: "one",
    eventType: "tool_observation",
    provider: "claude",
    ...rest,
    payload: { ...payload, metadata } as unknown as HooklineEvent["payload"] & object,
  }));

describe("mergeEvents", () => {
  it("does not care about order: commutative, associative, idempotent", () => {
    fc.assert(
      fc.property(telling, telling, telling, (a, b, c) => {
        const ab = mergeEvents(a, b);
        expect(mergeEvents(b, a)).toEqual(ab);
        expect(mergeEvents(ab, c)).toEqual(mergeEvents(a, mergeEvents(b, c)));
        expect(mergeEvents(ab, ab)).toEqual(ab);
        expect(mergeEvents(ab, a)).toEqual(ab);
        expect(mergeEvents(a, a)).toEqual(normalizeEvent(a));
      }),
      { numRuns: 2000 },
    );
  });

  it("gives equal facts equal text, so that a rebuilt view is the same bytes", () => {
    fc.assert(
      fc.property(telling, telling, (a, b) => {
        expect(JSON.stringify(mergeEvents(a, b))).toBe(JSON.stringify(mergeEvents(b, a)));
      }),
    );
  });

  const base = {
    v: 1,
    id: "one",
    eventType: "tool_observation",
    occurredAtIso: "2026-01-01T00:00:00.000Z",
    sessionId: "s",
    provider: "claude",
    projectPath: null,
    cwd: null,
  };

  it("believes the hook before the transcript, and a known value before none", () => {
    const hook: HooklineEvent = {
      ...base,
      origin: "hook",
      payload: { toolName: "Bash", toolInput: { a: 1 } },
    };
    const transcript: HooklineEvent = {
      ...base,
      origin: "transcript",
      cwd: "/x",
      payload: { toolName: "bash", toolInput: { a: 2 }, success: true },
    };
    expect(mergeEvents(transcript, hook)).toMatchObject({
      origin: "hook",
      cwd: "/x",
      payload: { toolName: "Bash", toolInput: { a: 1 }, success: true },
      mergedFrom: { cwd: "transcript", "payload.success": "transcript" },
    });
  });

  it("takes a batch's guess of failure only when nobody knows better, but its text of the output", () => {
    const batch: HooklineEvent = {
      ...base,
      origin: "batch",
      payload: { toolName: "Bash", toolInput: {}, success: false, errorMessage: "out", toolOutput: "shown" },
    };
    const hook: HooklineEvent = {
      ...base,
      origin: "hook",
      payload: { toolName: "Bash", toolInput: {}, success: true, toolOutput: "rendered" },
    };
    expect(mergeEvents(batch, hook).payload).toMatchObject({ success: true, toolOutput: "shown" });
    expect(normalizeEvent(batch).payload).toMatchObject({ success: false });
  });
});

describe("normalizeEvent", () => {
  it("gives back as it is what has the normal form, and nothing else", () => {
    fc.assert(
      fc.property(telling, (a) => {
        const normal = normalizeEvent(a);
        expect(normalizeEvent(normal)).toBe(normal);
        const { id, ...rest } = normal;
        for (const other of [
          { ...rest, id },
          { ...normal, aNull: null },
          { ...normal, zz: 1, za: 1 },
          { ...normal, payload: { toolName: "x", toolInput: 1 } },
          { ...normal, payload: { metadata: {}, toolInput: 1, toolName: "x" } },
        ]) {
          const again = normalizeEvent(other);
          expect(again).not.toBe(other);
          expect(JSON.stringify(again)).toBe(JSON.stringify(mergeEvents(other, other)));
        }
      }),
    );
  });
});

describe("isEvent", () => {
  it("agrees with the schema on what a line must have", () => {
    const fields = fc.dictionary(
      fc.constantFrom(
        "v",
        "id",
        "eventType",
        "phase",
        "occurredAtIso",
        "sessionId",
        "provider",
        "projectPath",
        "cwd",
        "promptId",
        "origin",
      ),
      fc.oneof(
        fc.constant(null),
        fc.constant(""),
        fc.constant("hook"),
        fc.constant(1),
        fc.constant(1.5),
        fc.constant("x"),
      ),
    );
    const whole = telling.map((event) => event as object);
    fc.assert(
      fc.property(
        fc.oneof(
          fields,
          fc.tuple(whole, fields).map(([a, b]) => ({ ...a, ...b })),
          fc.jsonValue(),
        ),
        (value) => {
          expect(isEvent(value)).toBe(BaseEvent.safeParse(value).success);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
