import type { NewEvent } from "../event/event.ts";
import type { Env } from "../home.ts";
import type { AgentAdapter, Confidence } from "./agent.ts";
import type { AgentId, HookDelivery, HookEnv, ProjectOf } from "./hook-delivery.ts";
import { type JoinedPromptReader, joinPromptReaders } from "./prompt-reader.ts";
import type { TranscriptSource } from "./transcript-source.ts";
import { joinUsageSources, type UsageSource } from "./usage-source.ts";

/** All known agents. The last row is the fallback for payloads that no other agent recognises. */
export interface AgentTable {
  readonly all: readonly AgentAdapter[];
  /** Never returns the last row, which stands for unknown agents. */
  findAgent(id: AgentId): AgentAdapter | undefined;
  /** Identifies the sender of a hook payload. `hookOwner`: whose hooks ran, where that is known. */
  identifyCaller(payload: unknown, from?: CallerHints): AgentAdapter;
  readonly prompts: JoinedPromptReader;
  readonly usage: UsageSource;
  /** The environment variables that a session's first record may carry, for any agent. */
  readonly recordedEnv: ReadonlySet<string>;
  /** The source of the agent with that id; for an unknown agent, the first one available. */
  transcriptsOf(id: AgentId): TranscriptSource | undefined;
  /** The source whose default root contains the folder; otherwise the first one available. */
  transcriptsIn(root: string, env: Env): TranscriptSource | undefined;
  /** Uses the translator of the agent that called. */
  translateHook(delivery: HookDelivery, projectOf: ProjectOf): NewEvent[];
}

export interface CallerHints {
  readonly env?: HookEnv;
  readonly hookOwner?: AgentId | null | undefined;
}

const RANK: Readonly<Record<Confidence, number>> = { none: 0, possible: 1, certain: 2 };

export function createAgentTable(rows: readonly [...AgentAdapter[], AgentAdapter]): AgentTable {
  const others = rows.slice(0, -1);
  const fallback = rows.at(-1)!;
  const identifyCaller: AgentTable["identifyCaller"] = (payload, { env = {}, hookOwner } = {}) => {
    let best = fallback;
    let bestRank = 0;
    for (const agent of others) {
      const rank = 2 * RANK[agent.recognises(payload, env)];
      // Less than a full rank: it only breaks ties.
      const rankWithOwner = rank > 0 && agent.id === hookOwner ? rank + 1 : rank;
      if (rankWithOwner > bestRank) [best, bestRank] = [agent, rankWithOwner];
    }
    return best;
  };
  return {
    all: rows,
    findAgent: (id) => others.find((agent) => agent.id === id),
    identifyCaller: identifyCaller,
    prompts: joinPromptReaders(rows.flatMap(({ prompts }) => prompts ?? [])),
    usage: joinUsageSources(rows.flatMap(({ usage }) => usage ?? [])),
    recordedEnv: new Set(rows.flatMap(({ installer }) => installer?.recordedEnv ?? [])),
    transcriptsOf: (id) =>
      (others.find((agent) => agent.id === id) ?? rows.find(({ transcripts }) => transcripts))?.transcripts,
    transcriptsIn(root, env) {
      const sources = rows.flatMap(({ transcripts }) => transcripts ?? []);
      const isRootOf = (source: TranscriptSource): boolean => `${root}/`.startsWith(`${source.root(env)}/`);
      return sources.find(isRootOf) ?? sources[0];
    },
    translateHook: (delivery, projectOf) =>
      identifyCaller(delivery.payload, delivery).translateHook(delivery, projectOf),
  };
}
