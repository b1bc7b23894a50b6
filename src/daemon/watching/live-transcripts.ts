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
const UNFOLLOW_DELAY_MS = 3_000;

export function openLiveTranscripts(
  { agents, config }: Base,
  recording: Recording,
  rows: WithSessionRows,
  reportError: (what: string) => (error: unknown) => void,
): LiveTranscripts {
  const { append, liveStore, loadOffset, saveOffset, projectOf, openAcceptor, quarantine } = recording;
  const appender = openDelayedAppender({
    append,
    findReported: async (events) =>
      new Set(await rows((store) => store.completeFromHooks(events.map(({ id }) => id)))),
    onAppended: () => liveStore.follow(),
    onError: reportError("recording transcript events failed"),
  });
  const transcripts = followTranscriptsByAgent(agents, (source) =>
    followTranscripts({
      source,
      projectOf,
      openAcceptor,
      append: appender.append,
      load: (path) => loadOffset(`transcript:${path}`),
      save: (path, position, lastEventIso) =>
        appender.after(() => saveOffset(`transcript:${path}`, position, lastEventIso)),
      quarantine,
      onBatch: () => liveStore.follow(),
      onError: reportError("reading a transcript failed"),
    }),
  );
  const unfollowTimers = new Map<string, NodeJS.Timeout>();
  return {
    follow({ sessionId, path, provider }) {
      clearTimeout(unfollowTimers.get(sessionId));
      unfollowTimers.delete(sessionId);
      if (config.followTranscripts) transcripts.watch(provider, sessionId, path);
    },
    unfollow(sessionId) {
      const timer = setTimeout(() => {
        unfollowTimers.delete(sessionId);
        void transcripts.unwatch(sessionId);
      }, UNFOLLOW_DELAY_MS).unref();
      unfollowTimers.set(sessionId, timer);
    },
    async flush() {
      await transcripts.flush();
      await appender.flush();
    },
    async close() {
      await transcripts.flush();
      for (const timer of unfollowTimers.values()) clearTimeout(timer);
      await transcripts.close();
      await appender.close();
    },
  };
}
