import fc from "fast-check";
import { expect } from "vitest";
import type { HookReply } from "../../src/agents/answer-format.ts";
import type { Guarantee } from "./agent-guarantees.ts";

const input = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== "__proto__"),
  fc.jsonValue(),
  {
    noNullPrototype: true,
    maxKeys: 3,
  },
);

const reply: fc.Arbitrary<HookReply> = fc.record(
  {
    call: fc.record({ verdict: fc.constantFrom("allow", "ask", "deny"), reason: fc.string() }),
    updatedInput: input,
    permission: fc.oneof(
      fc.record(
        { behavior: fc.constant("deny"), message: fc.string(), interrupt: fc.constant(true) },
        {
          requiredKeys: ["behavior", "message"],
        },
      ),
      fc.record(
        {
          behavior: fc.constant("allow"),
          updatedInput: input,
          allowRule: fc.record(
            { toolName: fc.string(), ruleContent: fc.string() },
            { requiredKeys: ["toolName"] },
          ),
          mode: fc.string(),
        },
        { requiredKeys: ["behavior"] },
      ),
    ),
    block: fc.record({ reason: fc.string(), hidesPrompt: fc.constant(true) }, { requiredKeys: ["reason"] }),
    context: fc.string(),
    notice: fc.string(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<HookReply>;

export const ANSWER_GUARANTEES: readonly Guarantee[] = [
  {
    what: "says every answer in words that say the same when they are read",
    applies: ({ answers }) => answers !== undefined,
    check({ answers }) {
      const { events, write, parse } = answers!;
      const moments = fc.constantFrom(...Object.values(events));
      const expectRoundTrip = (event: string, reply: HookReply): void => {
        const printed = JSON.stringify(write(event, reply));
        expect(parse(JSON.parse(printed))).toEqual(JSON.parse(JSON.stringify(reply)));
      };
      fc.assert(fc.property(moments, reply, expectRoundTrip), { numRuns: 500 });
    },
  },
  {
    what: "knows of every payload of its own which session asks, and when it can be answered",
    applies: ({ answers }) => answers !== undefined,
    check(adapter, { payloads }) {
      const answers = adapter.answers!;
      const moments = new Set<string | null>();
      for (const [name, payload] of payloads) {
        const ask = answers.read(payload);
        expect(ask, name).not.toBeNull();
        expect(ask!.sessionId, name).not.toBe("");
        expect(ask!.provider, name).toBe(adapter.id);
        expect(ask!.payload, name).toBe(payload);
        if (ask!.moment !== null) expect(answers.events[ask!.moment], name).toBe(ask!.event);
        moments.add(ask!.moment);
      }
      expect([...moments]).toEqual(expect.arrayContaining(["start", "prompt", "call", "permission"]));
      fc.assert(fc.property(fc.jsonValue(), (payload) => void answers.read(payload)));
    },
  },
];
