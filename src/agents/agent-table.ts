import type { NewEvent } from "../event/event.ts";
import type { Env } from "../home.ts";
import type { AgentAdapter, Confidence } from "./agent.ts";
import type { AgentId, HookDelivery, HookEnv, ProjectOf } from "./hook-delivery.ts";
import { type JoinedPromptReader, joinPromptReaders } from "./prompt-reader.ts";
import type { TranscriptSource } from "./transcript-source.ts";
import { joinUsageSources, type UsageSource } from "./usage-source.ts";

/** The agents there are. The last row takes what no other recognises. */
export interface AgentTable {
  readonly all: readonly AgentAdapter[];
  /** The agent of that name; never the last row, whose sessions are those that nobody can name. */
  named(id: AgentId): AgentAdapter | undefined;
  /** Who sent a hook payload. `hooksOf`: whose hooks were run, where that is known. */
  whoCalled(payload: unknown, from?: Caller): AgentAdapter;
  readonly prompts: JoinedPromptReader;
  readonly usage: UsageSource;
  /** What a session's first record may carry of its environment, whichever agent's it is. */
  readonly recordedEnv: ReadonlySet<string>;
  /** Of the agent with that id; for one that nobody can name, of the first that has any. */
  transcriptsOf(id: AgentId): TranscriptSource | undefined;
  /** Whose transcripts lie under a folder, by where agents keep them; of the first that has any for another folder. */
  transcriptsIn(root: string, env: Env): TranscriptSource | undefined;
  /** In the words of the agent that called. */
  translateHook(delivery: HookDelivery, projectOf: ProjectOf): NewEvent[];
}

export interface Caller {
  readonly env?: HookEnv;
  readonly hooksOf?: AgentId | null | undefined;
}

const RANK: Readonly<Record<Confidence, number>> = { none: 0, possible: 1, certain: 2 };

export function createAgentTable(rows: readonly [...AgentAdapter[], AgentAdapter]): AgentTable {
  const others = rows.slice(0, -1);
  const last = rows.at(-1)!;
  const whoCalled: AgentTable["whoCalled"] = (payload, { env = {}, hooksOf } = {}) => {
    let best = last;
    let bestRank = 0;
    for (const agent of others) {
      const rank = 2 * RANK[agent.recognises(payload, env)];
      // Half a rank: it decides among equals only.
      const own = rank > 0 && agent.id === hooksOf ? rank + 1 : rank;
      if (own > bestRank) [best, bestRank] = [agent, own];
    }
    return best;
  };
  return {
    all: rows,
    named: (id) => others.find((agent) => agent.id === id),
    whoCalled,
    prompts: joinPromptReaders(rows.flatMap(({ prompts }) => prompts ?? [])),
    usage: joinUsageSources(rows.flatMap(({ usage }) => usage ?? [])),
    recordedEnv: new Set(rows.flatMap(({ installer }) => installer?.recordedEnv ?? [])),
    transcriptsOf: (id) =>
      (others.find((agent) => agent.id === id) ?? rows.find(({ transcripts }) => transcripts))?.transcripts,
    transcriptsIn(root, env) {
      const sources = rows.flatMap(({ transcripts }) => transcripts ?? []);
      const isIn = (source: TranscriptSource): boolean => `${root}/`.startsWith(`${source.root(env)}/`);
      return sources.find(isIn) ?? sources[0];
    },
    translateHook: (delivery, projectOf) =>
      whoCalled(delivery.payload, delivery).translateHook(delivery, projectOf),
  };
}
