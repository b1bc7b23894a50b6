import type { AgentId } from "../../agents/hook-delivery.ts";
import { openDelayedAppender } from "../../capture/delayed-appender.ts";
import { followTranscripts } from "../../capture/follow-transcripts.ts";
import type { WithSessionRows } from "../../store/session-rows.ts";
import type { Base } from "../base.ts";
import { followTranscriptsByAgent } from "../per-agent.ts";
import type { Recording } from "../recording.ts";

/** Transcripts of running sessions, read as they grow. */
export interface LiveTranscripts {
  follow(session: { sessionId: string; path: string; provider: AgentId }): void;
  /** Stops once its last lines have arrived. */
  unfollow(sessionId: string): void;
  /** Ingests what they contain so far. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The agent writes its last lines when its process exits, a moment after it reported the session's end. */
const LAST_LINES_MS = 3_000;

export function openLiveTranscripts(
  { agents, config }: Base,
  recording: Recording,
  rows: WithSessionRows,
  trouble: (what: string) => (error: unknown) => void,
): LiveTranscripts {
  const { append, liveStore, loadOffset, saveOffset, projectOf, openAcceptor, quarantine } = recording;
  const held = openDelayedAppender({
    append,
    findReported: async (events) =>
      new Set(await rows((store) => store.completeFromHooks(events.map(({ id }) => id)))),
    onAppended: () => liveStore.follow(),
    onError: trouble("recording transcript events failed"),
  });
  const transcripts = followTranscriptsByAgent(agents, (source) =>
    followTranscripts({
      source,
      projectOf,
      openAcceptor,
      append: held.append,
      load: (path) => loadOffset(`transcript:${path}`),
      save: (path, position, lastEventIso) =>
        held.after(() => saveOffset(`transcript:${path}`, position, lastEventIso)),
      quarantine,
      onBatch: () => liveStore.follow(),
      onError: trouble("reading a transcript failed"),
    }),
  );
  const leaving = new Map<string, NodeJS.Timeout>();
  return {
    follow({ sessionId, path, provider }) {
      clearTimeout(leaving.get(sessionId));
      leaving.delete(sessionId);
      if (config.followTranscripts) transcripts.watch(provider, sessionId, path);
    },
    unfollow(sessionId) {
      const timer = setTimeout(() => {
        leaving.delete(sessionId);
        void transcripts.unwatch(sessionId);
      }, LAST_LINES_MS).unref();
      leaving.set(sessionId, timer);
    },
    async flush() {
      await transcripts.flush();
      await held.flush();
    },
    async close() {
      await transcripts.flush();
      for (const timer of leaving.values()) clearTimeout(timer);
      await transcripts.close();
      await held.close();
    },
  };
}
