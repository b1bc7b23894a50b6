import { expect } from "vitest";
import type { AgentAdapter } from "../../src/agents/agent.ts";
import type { HookMoments, HookReply } from "../../src/agents/answer-format.ts";
import type { Capability } from "../../src/agents/capabilities.ts";
import type { Guarantee } from "./agent-guarantees.ts";

/** Whether an adapter has what a capability needs. */
const IS_THERE: Readonly<Record<Capability, (adapter: AgentAdapter) => boolean>> = {
  install: ({ installer }) => installer !== undefined,
  mcp: ({ installer }) => installer?.mcpFile !== undefined,
  guard: (adapter) => isHeard(adapter, "call", { call: { verdict: "deny", reason: "no" } }),
  approve: (adapter) => isHeard(adapter, "permission", { permission: { behavior: "allow" } }),
  inject: (adapter) =>
    isHeard(adapter, "start", { context: "c" }) && isHeard(adapter, "prompt", { context: "c" }),
  message: ({ liveness }) => liveness?.inbox !== undefined,
  drive: ({ driving, answers }) => driving !== undefined && answers !== undefined,
  resume: ({ resume }) => resume !== undefined,
  transcripts: ({ transcripts }) => transcripts !== undefined,
  liveness: ({ liveness }) => liveness !== undefined,
  usage: ({ usage }) => usage !== undefined,
  statusLine: ({ statusLine }) => statusLine !== undefined,
};

export const CAPABILITIES = Object.keys(IS_THERE) as Capability[];

export const CAPABILITY_GUARANTEES: readonly Guarantee[] = [
  {
    what: "has every part that it says it has, and no other",
    applies: () => true,
    check(adapter) {
      const there = CAPABILITIES.map((capability) => [capability, IS_THERE[capability](adapter)]);
      expect(adapter.capabilities).toEqual(Object.fromEntries(there));
    },
  },
];

/** Whether the agent has words for such a reply at that moment. */
function isHeard({ answers }: AgentAdapter, moment: keyof HookMoments, reply: HookReply): boolean {
  if (answers === undefined || answers.events[moment] === "") return false;
  const said = answers.parse(JSON.parse(JSON.stringify(answers.write(answers.events[moment], reply))));
  return Object.keys(reply).every((key) => key in said);
}
