import type { AgentTable } from "../agents/agent-table.ts";
import type { HookAsk, HookReply } from "../agents/answer-format.ts";
import type { AgentId } from "../agents/hook-delivery.ts";
import type { TranscriptSource } from "../agents/transcript-source.ts";
import type { TranscriptFollower } from "../capture/follow-transcripts.ts";
import type { Env } from "../home.ts";
import { type RegistryEntry, watchRegistry } from "../monitor/watch-registry.ts";

/** Runs per-agent features for all agents that support them, as one. */

export interface AgentTranscripts extends Omit<TranscriptFollower, "watch"> {
  watch(provider: AgentId, sessionId: string, transcriptPath: string): void;
}

/** Transcripts of live sessions, each read in its agent's format. */
export function followTranscriptsByAgent(
  agents: AgentTable,
  open: (source: TranscriptSource) => TranscriptFollower,
): AgentTranscripts {
  const followers = new Map<TranscriptSource, TranscriptFollower>();
  for (const { transcripts } of agents.all)
    if (transcripts !== undefined) followers.set(transcripts, open(transcripts));
  const forEachFollower = async (action: (follower: TranscriptFollower) => Promise<void>): Promise<void> =>
    void (await Promise.all([...followers.values()].map(action)));
  return {
    watch(provider, sessionId, path) {
      const source = agents.transcriptsOf(provider);
      if (source !== undefined) followers.get(source)?.watch(sessionId, path);
    },
    unwatch: (sessionId) => forEachFollower((follower) => follower.unwatch(sessionId)),
    flush: () => forEachFollower((follower) => follower.flush()),
    close: () => forEachFollower((follower) => follower.close()),
  };
}

/** Answers in the format of the calling agent. Other agents get nothing: they may misread our answer. */
export async function answerAs(
  agents: AgentTable,
  payload: unknown,
  answer: (ask: HookAsk | null) => Promise<HookReply | null>,
): Promise<object | null> {
  const { answers } = agents.identifyCaller(payload);
  if (answers === undefined) return null;
  const ask = answers.read(payload);
  const reply = await answer(ask);
  return reply && answers.write(ask?.event ?? answers.events.call, reply);
}

export interface RegistriesOptions {
  /** Of the watched sessions. */
  readonly transcriptPaths: () => readonly string[];
  readonly env: Env;
  readonly onEntries: (entries: readonly RegistryEntry[]) => void;
  readonly onError: (error: unknown) => void;
}

/** The lists of their own processes that agents maintain. */
export function watchRegistries(agents: AgentTable, options: RegistriesOptions): { close(): void } {
  const entriesByAgent = new Map<AgentId, readonly RegistryEntry[]>();
  const watches = agents.all.flatMap(({ id, liveness }) =>
    liveness === undefined
      ? []
      : watchRegistry({
          provider: id,
          source: liveness,
          configDirs: () => liveness.configDirs(options.env, options.transcriptPaths()),
          onEntries(entries) {
            entriesByAgent.set(id, entries);
            options.onEntries([...entriesByAgent.values()].flat());
          },
          onError: options.onError,
        }),
  );
  return {
    close() {
      for (const watch of watches) watch.close();
    },
  };
}
