import { isAlive } from "../../monitor/processes.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import type { SessionTracker } from "../../monitor/session-tracker.ts";
import { watchEvidence } from "../../monitor/watch-evidence.ts";
import type { SessionStream } from "../../serve/session-stream.ts";
import type { Base } from "../base.ts";
import { watchRegistries } from "../per-agent.ts";
import type { Recording } from "../recording.ts";
import type { LiveTranscripts } from "./live-transcripts.ts";
import type { ProcessLoads } from "./process-loads.ts";

export interface EvidenceParts {
  readonly sessions: SessionTracker;
  readonly stream: SessionStream;
  readonly transcripts: LiveTranscripts;
  readonly loads: ProcessLoads;
  readonly onError: (what: string) => (error: unknown) => void;
}

/** Evidence about a session besides its hooks: its process, the agent's own session list, and time. */
export interface Evidence {
  changed(snapshot: SessionSnapshot): void;
  drop(sessionId: string): void;
  close(): Promise<void>;
}

export function startEvidence(base: Base, recording: Recording, parts: EvidenceParts): Evidence {
  const { agents, config, env, nowMs } = base;
  const { sessions, stream, transcripts, loads, onError } = parts;
  const { watched } = sessions;
  /** The time-dependent parts of each session, as last shown. */
  const published = new Map<string, string>();
  const evidence = watchEvidence({
    watched,
    wake: sessions.wake,
    nowMs,
    isAlive,
    flush: recording.spool.flush,
    record: async (events) => void (await recording.record(events, { until: "store" })),
    projectOf: recording.projectOf,
    locateTranscript: (entry) =>
      agents.findAgent(entry.provider)?.liveness?.locateTranscript(entry.configDir, entry) ?? null,
    follow: transcripts.follow,
    unfollow: transcripts.unfollow,
    onTick: (snapshots) => {
      loads.measure(snapshots).catch(onError("measuring processes failed"));
      for (const snapshot of snapshots) {
        const state = `${snapshot.state} ${snapshot.activityPhase} ${snapshot.process?.cpuPercent}`;
        if (published.get(snapshot.sessionId) !== state) stream.publish(snapshot);
        published.set(snapshot.sessionId, state);
      }
    },
    onError: onError("checking sessions failed"),
  });
  const registries = config.watchRegistry
    ? watchRegistries(agents, {
        transcriptPaths: () => watched.lastSnapshots().flatMap(({ transcriptPath }) => transcriptPath ?? []),
        env,
        onEntries: (entries) =>
          evidence.registryChanged(entries.filter(({ cwd }) => !recording.isModelFolder(cwd ?? null))),
        onError: onError("reading the agent's session registry failed"),
      })
    : null;
  return {
    changed: evidence.sessionChanged,
    drop: (sessionId) => void published.delete(sessionId),
    async close() {
      registries?.close();
      await evidence.close();
    },
  };
}
