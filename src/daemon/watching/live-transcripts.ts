import type { AgentId } from "../../agents/hook-delivery.ts";
import { followTranscripts } from "../../capture/follow-transcripts.ts";
import { holdBack } from "../../capture/hold-back.ts";
import type { AskSessionRows } from "../../store/session-rows.ts";
import { followByAgent } from "../agents.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";

/** Transcripts of sessions that run, read as they grow. */
export interface LiveTranscripts {
  follow(session: { sessionId: string; path: string; provider: AgentId }): void;
  /** Once its last lines are there. */
  unfollow(sessionId: string): void;
  /** Takes what they have by now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The agent writes its last lines when its process ends, a moment after it said that the session does. */
const LAST_LINES_MS = 3_000;

export function openLiveTranscripts(
  { agents, config }: Base,
  recording: Recording,
  rows: AskSessionRows,
  trouble: (what: string) => (error: unknown) => void,
): LiveTranscripts {
  const { append, keeper, loadOffset, saveOffset, projectOf, openAcceptor, quarantine } = recording;
  const held = holdBack({
    append,
    isTold: async (events) => new Set(await rows((store) => store.toldByHooks(events.map(({ id }) => id)))),
    onAppended: () => keeper.follow(),
    onTrouble: trouble("writing what a transcript told failed"),
  });
  const transcripts = followByAgent(agents, (source) =>
    followTranscripts({
      source,
      projectOf,
      openAcceptor,
      append: held.append,
      load: (path) => loadOffset(`transcript:${path}`),
      save: (path, position, lastEventIso) =>
        held.after(() => saveOffset(`transcript:${path}`, position, lastEventIso)),
      quarantine,
      onTaken: () => keeper.follow(),
      onTrouble: trouble("reading a transcript failed"),
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
