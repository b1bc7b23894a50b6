import type { SessionKeeper } from "../../monitor/keep-sessions.ts";
import { isAlive } from "../../monitor/processes.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { watchEvidence } from "../../monitor/watch-evidence.ts";
import type { SessionStream } from "../../serve/session-stream.ts";
import { watchRegistries } from "../agents.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";
import type { LiveTranscripts } from "./live-transcripts.ts";
import type { ProcessLoads } from "./process-loads.ts";

export interface EvidenceParts {
  readonly sessions: SessionKeeper;
  readonly stream: SessionStream;
  readonly transcripts: LiveTranscripts;
  readonly loads: ProcessLoads;
  readonly trouble: (what: string) => (error: unknown) => void;
}

/** What tells of a session beside its hooks: its process, the agent's own list of sessions, and time. */
export interface Evidence {
  changed(snapshot: SessionSnapshot): void;
  drop(sessionId: string): void;
  close(): Promise<void>;
}

export function startEvidence(base: Base, recording: Recording, parts: EvidenceParts): Evidence {
  const { agents, config, env, nowMs } = base;
  const { sessions, stream, transcripts, loads, trouble } = parts;
  const { book } = sessions;
  /** What time alone may change, as it was last shown. */
  const shown = new Map<string, string>();
  const evidence = watchEvidence({
    book,
    wake: sessions.wake,
    nowMs,
    isAlive,
    flush: recording.spool.flush,
    note: async (events) => void (await recording.record(events, { until: "store" })),
    projectOf: recording.projectOf,
    locateTranscript: (entry) =>
      agents.named(entry.provider)?.liveness?.locateTranscript(entry.configDir, entry) ?? null,
    follow: transcripts.follow,
    unfollow: transcripts.unfollow,
    onTick: (snapshots) => {
      loads.measure(snapshots).catch(trouble("measuring processes failed"));
      for (const snapshot of snapshots) {
        const standing = `${snapshot.state} ${snapshot.activityPhase} ${snapshot.process?.cpuPercent}`;
        if (shown.get(snapshot.sessionId) !== standing) stream.publish(snapshot);
        shown.set(snapshot.sessionId, standing);
      }
    },
    onTrouble: trouble("looking after sessions failed"),
  });
  const registries = config.watchRegistry
    ? watchRegistries(agents, {
        transcriptPaths: () => book.lastRead().flatMap(({ transcriptPath }) => transcriptPath ?? []),
        env,
        onEntries: (entries) => evidence.entries(entries.filter(({ cwd }) => !recording.isOwn(cwd ?? null))),
        onTrouble: trouble("reading the agent's list of sessions failed"),
      })
    : null;
  return {
    changed: evidence.changed,
    drop: (sessionId) => void shown.delete(sessionId),
    async close() {
      registries?.close();
      await evidence.close();
    },
  };
}
