import type { AgentTable } from "../agents/agent-table.ts";
import type { HookAsk, HookReply } from "../agents/answer-format.ts";
import type { AgentId } from "../agents/hook-delivery.ts";
import type { TranscriptSource } from "../agents/transcript-source.ts";
import type { TranscriptsFollower } from "../capture/follow-transcripts.ts";
import type { Env } from "../home.ts";
import { type SeenEntry, watchRegistry } from "../monitor/watch-registry.ts";

/** What is done for each agent that can be read so, as one. */

export interface AgentsFollower extends Omit<TranscriptsFollower, "watch"> {
  watch(provider: AgentId, sessionId: string, transcriptPath: string): void;
}

/** Transcripts of live sessions, each read as its agent writes them. */
export function followByAgent(
  agents: AgentTable,
  open: (source: TranscriptSource) => TranscriptsFollower,
): AgentsFollower {
  const followers = new Map<TranscriptSource, TranscriptsFollower>();
  for (const { transcripts } of agents.all)
    if (transcripts !== undefined) followers.set(transcripts, open(transcripts));
  const each = async (act: (follower: TranscriptsFollower) => Promise<void>): Promise<void> =>
    void (await Promise.all([...followers.values()].map(act)));
  return {
    watch(provider, sessionId, path) {
      const source = agents.transcriptsOf(provider);
      if (source !== undefined) followers.get(source)?.watch(sessionId, path);
    },
    unwatch: (sessionId) => each((follower) => follower.unwatch(sessionId)),
    flush: () => each((follower) => follower.flush()),
    close: () => each((follower) => follower.close()),
  };
}

/** In the words of the agent that asked. Another is told nothing: what it would make of our answer is not known. */
export async function answerAs(
  agents: AgentTable,
  payload: unknown,
  answer: (ask: HookAsk | null) => Promise<HookReply | null>,
): Promise<object | null> {
  const { answers } = agents.whoCalled(payload);
  if (answers === undefined) return null;
  const ask = answers.read(payload);
  const reply = await answer(ask);
  return reply && answers.write(ask?.event ?? answers.events.call, reply);
}

export interface RegistriesOptions {
  /** Of the sessions that are watched. */
  readonly transcriptPaths: () => readonly string[];
  readonly env: Env;
  readonly onEntries: (entries: readonly SeenEntry[]) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** The lists that agents keep of their own processes. */
export function watchRegistries(agents: AgentTable, options: RegistriesOptions): { close(): void } {
  const known = new Map<AgentId, readonly SeenEntry[]>();
  const watches = agents.all.flatMap(({ id, liveness }) =>
    liveness === undefined
      ? []
      : watchRegistry({
          provider: id,
          source: liveness,
          configDirs: () => liveness.configDirs(options.env, options.transcriptPaths()),
          onEntries(entries) {
            known.set(id, entries);
            options.onEntries([...known.values()].flat());
          },
          onTrouble: options.onTrouble,
        }),
  );
  return {
    close() {
      for (const watch of watches) watch.close();
    },
  };
}
