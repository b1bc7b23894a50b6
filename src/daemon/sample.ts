import { randomUUID } from "node:crypto";
import type { AgentAdapter } from "../agents/agent.ts";
import type { HooklineEvent } from "../event/event.ts";
import { contentHash } from "../event/ids.ts";
import { SAMPLE_PREFIX } from "../event/sample.ts";
import type { PagePorts } from "../serve/page-ports.ts";
import type { LiveStore } from "../store/live-store.ts";
import { SAMPLE_PROJECT, SAMPLE_SECONDS, sampleStory } from "./sample-story.ts";

export interface SampleOptions {
  /** The agent in whose format the story is. */
  readonly agent: AgentAdapter & Required<Pick<AgentAdapter, "transcripts">>;
  readonly liveStore: LiveStore;
  readonly record: (events: readonly HooklineEvent[]) => Promise<void>;
  readonly forget: (sessionId: string) => Promise<unknown>;
  readonly nowMs: () => number;
}

/**
 * A sample session for users who have none yet. It takes the same path as any other, is marked as a sample in
 * its id and in every event, and leaves nothing behind when removed.
 */
export function createSamplePorts(
  options: SampleOptions,
): Pick<PagePorts, "sample" | "loadSample" | "removeSample"> {
  const { liveStore } = options;
  const loadedIds = (): Promise<string[]> =>
    liveStore.use((store) => store.sessions.sessionIds(SAMPLE_PREFIX, 20));
  const sample = async () => ({ sessionId: (await loadedIds()).at(-1) ?? null });
  return {
    sample,
    async loadSample() {
      if ((await loadedIds()).length === 0) await options.record(toEvents(options));
      return sample();
    },
    async removeSample() {
      for (const sessionId of await loadedIds()) await options.forget(sessionId);
      return sample();
    },
  };
}

function toEvents({ agent, nowMs }: SampleOptions): HooklineEvent[] {
  const sessionId = `${SAMPLE_PREFIX}${randomUUID()}`;
  const startMs = nowMs() - (SAMPLE_SECONDS + 60) * 1_000;
  const transcript = agent.transcripts.open(
    { path: `${SAMPLE_PROJECT}/${sessionId}.jsonl` },
    () => SAMPLE_PROJECT,
  );
  return sampleStory().flatMap((step, index) => {
    const atMs = startMs + step.at * 1_000;
    const occurredAtIso = new Date(atMs).toISOString();
    const events =
      "line" in step
        ? transcript.translateLine(
            withSampleIds({ ...step.line, sessionId, timestamp: occurredAtIso }, sessionId),
          )
        : agent.translateHook(
            {
              payload: withSampleIds({ ...step.hook, session_id: sessionId }, sessionId),
              env: {},
              name: `sample-${index}`,
              timeNs: `${BigInt(Math.round(atMs)) * 1_000_000n}`,
              occurredAtIso,
              contentHash: () => contentHash(`${sessionId} ${index}`),
              pid: null,
            },
            () => SAMPLE_PROJECT,
          );
    // There is no transcript to follow.
    return events.map(({ transcriptPath: _none, ...event }) => ({ ...event, sample: true }) as HooklineEvent);
  });
}

const ID_FIELDS = ["prompt_id", "tool_use_id", "uuid", "requestId"];

/** Facts are identified by id across all sessions, so each sample gets its own ids. */
function withSampleIds(
  record: Readonly<Record<string, unknown>>,
  sessionId: string,
): Record<string, unknown> {
  const scopedIds = Object.fromEntries(
    ID_FIELDS.flatMap((key) =>
      typeof record[key] === "string" ? [[key, `${sessionId}-${record[key]}`]] : [],
    ),
  );
  const message = record["message"] as { id: string } | undefined;
  return {
    ...record,
    ...scopedIds,
    ...(message && { message: { ...message, id: `${sessionId}-${message.id}` } }),
  };
}
