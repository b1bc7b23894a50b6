import { expect } from "vitest";
import type { AgentAdapter } from "../../src/agents/agent.ts";
import type { HookMoments, HookReply } from "../../src/agents/answer-format.ts";
import type { Capability } from "../../src/agents/capabilities.ts";
import type { Guarantee } from "./agent-guarantees.ts";

/** Whether an adapter has what a capability needs. */
const HAS_CAPABILITY: Readonly<Record<Capability, (adapter: AgentAdapter) => boolean>> = {
  install: ({ installer }) => installer !== undefined,
  mcp: ({ installer }) => installer?.mcpFile !== undefined,
  guard: (adapter) => isExpressible(adapter, "call", { call: { verdict: "deny", reason: "no" } }),
  approve: (adapter) => isExpressible(adapter, "permission", { permission: { behavior: "allow" } }),
  inject: (adapter) =>
    isExpressible(adapter, "start", { context: "c" }) && isExpressible(adapter, "prompt", { context: "c" }),
  message: ({ liveness }) => liveness?.inbox !== undefined,
  drive: ({ driving, answers }) => driving !== undefined && answers !== undefined,
  resume: ({ resumeCommand }) => resumeCommand !== undefined,
  transcripts: ({ transcripts }) => transcripts !== undefined,
  liveness: ({ liveness }) => liveness !== undefined,
  usage: ({ usage }) => usage !== undefined,
  statusLine: ({ statusLine }) => statusLine !== undefined,
};

export const CAPABILITIES = Object.keys(HAS_CAPABILITY) as Capability[];

export const CAPABILITY_GUARANTEES: readonly Guarantee[] = [
  {
    what: "has every part that it says it has, and no other",
    applies: () => true,
    check(adapter) {
      const present = CAPABILITIES.map((capability) => [capability, HAS_CAPABILITY[capability](adapter)]);
      expect(adapter.capabilities).toEqual(Object.fromEntries(present));
    },
  },
];

/** Whether the agent can express such a reply at that moment. */
function isExpressible({ answers }: AgentAdapter, moment: keyof HookMoments, reply: HookReply): boolean {
  if (answers === undefined || answers.events[moment] === "") return false;
  const parsed = answers.parse(JSON.parse(JSON.stringify(answers.write(answers.events[moment], reply))));
  return Object.keys(reply).every((key) => key in parsed);
}
