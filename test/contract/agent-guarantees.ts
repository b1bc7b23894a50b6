import fc from "fast-check";
import { expect } from "vitest";
import type { AgentAdapter } from "../../src/agents/agent.ts";
import type { HookDelivery } from "../../src/agents/hook-delivery.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import { EMPTY_RECALL } from "../../src/capture/recall.ts";
import { isEvent, type NewEvent } from "../../src/event/event.ts";
import { contentHash } from "../../src/event/ids.ts";
import { toLine } from "../../src/event/line.ts";
import { isToolKind } from "../../src/event/tool-kind.ts";
import { ANSWER_GUARANTEES } from "./agent-answers.ts";
import { CAPABILITY_GUARANTEES } from "./agent-capabilities.ts";
import type { AgentFixtures } from "./agent-contract.ts";
import { INSTALLER_GUARANTEES } from "./agent-installer.ts";
import { PART_GUARANTEES } from "./agent-parts.ts";
import { SOURCE_GUARANTEES } from "./agent-sources.ts";

/** One guarantee of every agent, and its check. */
export interface Guarantee {
  readonly what: string;
  /** Whether the agent has the part in question. */
  applies(adapter: AgentAdapter, fixtures: AgentFixtures): boolean;
  check(adapter: AgentAdapter, fixtures: AgentFixtures): void | Promise<void>;
}

const always = (): boolean => true;

const TRANSLATION: readonly Guarantee[] = [
  {
    what: "has an id that can begin the name of a file, and a label",
    applies: always,
    check({ id, label }) {
      expect(id).toMatch(/^[a-z]+$/);
      expect(label).not.toBe("");
    },
  },
  {
    what: "recognises every payload of its own",
    applies: always,
    check(adapter, { payloads }) {
      expect(payloads.length).toBeGreaterThan(5);
      for (const [name, payload] of payloads) expect(adapter.recognises(payload, {}), name).not.toBe("none");
    },
  },
  {
    what: "makes at least one event of any JSON, its own, and never throws",
    applies: always,
    check(adapter, { payloads }) {
      const expectComplete = (payload: unknown): void => {
        adapter.recognises(payload, {});
        const events = translate(adapter, payload);
        expect(events.length).toBeGreaterThan(0);
        for (const event of events) {
          expect(isEvent(event)).toBe(true);
          expect(event.provider).toBe(adapter.id);
        }
      };
      for (const [, payload] of payloads) expectComplete(payload);
      fc.assert(fc.property(fc.jsonValue(), expectComplete), { numRuns: 300 });
      const mutated = fc
        .tuple(fc.constantFrom(...payloads), fc.nat(), fc.jsonValue())
        .map(([[, payload], at, value]) => mutateField(payload, at, value));
      fc.assert(fc.property(mutated, expectComplete), { numRuns: 600 });
    },
  },
  {
    what: "gives a delivery that is read twice the same events",
    applies: always,
    check(adapter, { payloads }) {
      for (const [name, payload] of payloads)
        expect(translate(adapter, payload), name).toEqual(translate(adapter, payload));
    },
  },
  {
    what: "gives ids that do not depend on what came before",
    applies: always,
    check(adapter, { payloads }) {
      const idsOf = ([, payload]: readonly [string, unknown]) =>
        translate(adapter, payload).map(({ id }) => id);
      const inOrder = payloads.map(idsOf);
      const reversed = [...payloads].reverse().map(idsOf).reverse();
      expect(reversed).toEqual(inOrder);
    },
  },
  {
    what: "keeps apart two deliveries that it knows nothing of",
    applies: always,
    check(adapter) {
      for (const payload of [{}, null, "text", { x: 1 }]) {
        const [first, second] = ["1-1-0", "1-2-0"].map((name) => translate(adapter, payload, name)[0]?.id);
        expect(first).not.toBe(second);
      }
    },
  },
  {
    what: "leaves nothing private where capture does not cut it",
    applies: (_adapter, { prompt }) => prompt !== null,
    async check(adapter, { prompt }) {
      const part = await recordLines(adapter, [prompt!("Look. <private>xyzzy</private> Then go on.")]);
      expect(part).toContain("Then go on.");
      expect(part).not.toContain("xyzzy");
      expect(await recordLines(adapter, [prompt!("<private>xyzzy</private>")])).not.toContain("xyzzy");
    },
  },
  {
    what: "leaves no secret where capture does not mask it",
    applies: (_adapter, { output }) => output !== null,
    async check(adapter, { output, prompt }) {
      const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
      const lines = await recordLines(adapter, [
        output!(`key ${secret} end`),
        ...(prompt ? [prompt(`use ${secret}`)] : []),
      ]);
      expect(lines).toContain(" end");
      expect(lines).not.toContain(secret);
    },
  },
  {
    what: "knows the kind of every tool, and says it in every event of a call",
    applies: always,
    check(adapter, { payloads }) {
      const { tools } = adapter;
      const calls = payloads
        .flatMap(([, payload]) => translate(adapter, payload))
        .flatMap(({ payload }) => (payload?.toolName === undefined ? [] : payload));
      for (const { toolName, toolKind } of calls) expect(toolKind, toolName!).toBe(tools.kindOf(toolName!));
      const expectTotal = (name: string, input: unknown): void => {
        expect(isToolKind(tools.kindOf(name)), name).toBe(true);
        tools.subjectOf(name, input);
        tools.pathsOf(name, input);
        tools.commandOf(name, input);
      };
      const names = fc.oneof(fc.string(), fc.constantFrom(...tools.names, "toString", "__proto__"));
      fc.assert(fc.property(names, fc.jsonValue(), expectTotal), { numRuns: 300 });
    },
  },
];

export const GUARANTEES: readonly Guarantee[] = [
  ...TRANSLATION,
  ...SOURCE_GUARANTEES,
  ...ANSWER_GUARANTEES,
  ...INSTALLER_GUARANTEES,
  ...PART_GUARANTEES,
  ...CAPABILITY_GUARANTEES,
];

function toDelivery(payload: unknown, name = "1-1-0"): HookDelivery {
  const text = JSON.stringify(payload);
  return {
    payload,
    env: {},
    name,
    timeNs: "1763280000000000000",
    occurredAtIso: "2026-11-16T08:00:00.000Z",
    contentHash: () => contentHash(text),
    pid: 7,
  };
}

function translate(adapter: AgentAdapter, payload: unknown, name?: string): NewEvent[] {
  return adapter.translateHook(toDelivery(payload, name), (cwd) => cwd);
}

/** The log lines for these payloads. */
async function recordLines(adapter: AgentAdapter, payloads: readonly unknown[]): Promise<string> {
  const acceptor = createAcceptor({ mayRecord: () => true, recall: async () => EMPTY_RECALL });
  const translated = payloads.flatMap((payload, index) => translate(adapter, payload, `1-${index}-0`));
  const accepted = await acceptor.prepare(translated, () => acceptor.accept(translated));
  return accepted.map(toLine).join("\n");
}

/** A payload with one value replaced. */
function mutateField(payload: unknown, at: number, value: unknown): unknown {
  if (typeof payload !== "object" || payload === null) return value;
  const keys = Object.keys(payload);
  const key = keys[at % Math.max(1, keys.length)];
  return key === undefined ? value : { ...payload, [key]: value };
}
