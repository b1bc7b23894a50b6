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
const eventArb: fc.Arbitrary<HooklineEvent> = fc
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
  it("is commutative, associative and idempotent", () => {
    fc.assert(
      fc.property(eventArb, eventArb, eventArb, (a, b, c) => {
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

  it("serializes equal facts to equal text, so a rebuilt view has the same bytes", () => {
    fc.assert(
      fc.property(eventArb, eventArb, (a, b) => {
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

  it("prefers the hook over the transcript, and a known value over an unknown one", () => {
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

  it("uses a batch's failure guess only when no other report knows, but prefers its output text", () => {
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
  it("returns an event already in normal form as is, and any other as a normalized copy", () => {
    fc.assert(
      fc.property(eventArb, (a) => {
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
  it("agrees with the BaseEvent schema", () => {
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
    const anyEvent = eventArb.map((event) => event as object);
    fc.assert(
      fc.property(
        fc.oneof(
          fields,
          fc.tuple(anyEvent, fields).map(([a, b]) => ({ ...a, ...b })),
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
