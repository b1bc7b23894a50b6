import { watchRecordingRules } from "../../capture/watch-recording-rules.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { findToolFeedback } from "../../memory/find-tool-feedback.ts";
import type { MemoryIndex } from "../../memory/search/memory-index.ts";
import { openMemoryIndex } from "../../memory/search/open-memory-index.ts";
import { isSessionStart, startInjectionEvent } from "../../memory/start-injection.ts";
import type { MemoryPorts } from "../../serve/memory-ports.ts";
import type { AppliedListener } from "../../store/applied-batches.ts";
import { delegateToCurrent } from "../../store/delegate-to-current.ts";
import type { MemoryRows } from "../../store/memory-rows.ts";
import { itemChangesLocation } from "../../store/sqlite/sqlite-item-changes.ts";
import type { Base } from "../base.ts";
import { errorText } from "../daemon-messages.ts";
import type { LongWork } from "../long-work.ts";
import type { Recording } from "../recording.ts";
import { type Injection, openInjection } from "./injection.ts";
import { type MemoryPipeline, startMemoryPipeline } from "./memory-pipeline.ts";
import { createMemoryPorts } from "./memory-ports.ts";
import { openModel } from "./open-model.ts";
import { openWelcome, type Welcome } from "./welcome.ts";

/** The memory side of the daemon: building, indexing, injection and search, wired together. */
export interface Memory {
  readonly ports: Omit<MemoryPorts, "forget" | "exportLines" | "importLines" | "importClaudeMem">;
  readonly rows: MemoryRows;
  /** What an agent should know about its call that was just stored; null if there is nothing. */
  feedback(event: HooklineEvent): Promise<string | null>;
  /** Resolves when all events so far are processed and the digests are written. */
  flush(): Promise<void>;
  /** After something was forgotten: data read before is no longer injected. */
  discardInFlight(): void;
  /** Removes deleted items from the search index. */
  scrub(): Promise<void>;
  /** Called when the database was rebuilt or lost data. */
  reload(): void;
}

export interface MemoryParts {
  readonly long: LongWork;
  readonly port: number | null;
}

const MAX_PROJECTS_AT_START = 50;
/** A batch this large is not a session starting now. */
const BACKLOG_EVENTS = 50;

/** Resolves when it is known which digests are ready, before any request is served. */
export async function startMemory(base: Base, recording: Recording, parts: MemoryParts): Promise<Memory> {
  const { home, config, scope, nowMs, notice } = base;
  const { liveStore, record } = recording;
  const { long, port } = parts;
  const reportError = (what: string) => (error: unknown) => notice(`${what}: ${errorText(error)}`);
  const rows = delegateToCurrent<MemoryRows>((work) => liveStore.use((store) => work(store.memory)));
  const index = openMemoryIndex({
    source: itemChangesLocation(home.db),
    path: home.searchDb,
    embedder: config.memory,
  });
  const recordEvent = (event: HooklineEvent): void =>
    void record([event], { until: "store" }).catch(reportError("recording a memory event failed"));
  const onDigestError = reportError("writing a digest failed");
  const injection = openInjection(base, recording, {
    rows,
    index,
    port,
    record: recordEvent,
    onDigestError: onDigestError,
  });
  const { digests, rules } = injection;
  const model = openModel(base, recording, rows, reportError);
  const onError = reportError("building memory items failed");
  const pipeline = startMemoryPipeline({ rows, index, digests, model, long, onError: onError });
  const refreshAllDigests = (): void =>
    digests.markStale(rows.projects().then((projects) => projects.slice(0, MAX_PROJECTS_AT_START)));
  const ruleWatch = watchRecordingRules(home, refreshAllDigests);
  const reload = (): void => {
    refreshAllDigests();
    pipeline.drain().catch(onError);
    index.changed();
  };
  scope.defer(async () => {
    ruleWatch.close();
    await pipeline.close();
    await model.close();
    await index.close();
  });
  const welcome = openWelcome(base, port);
  recording.applied.add(createListener(base, { pipeline, index, injection, welcome, recordEvent }));
  long.onRebuilt(reload);
  await prepareMemory(rows, { pipeline, index, injection, welcome, onError });
  return {
    rows,
    ports: createMemoryPorts(base, recording, {
      ...injection,
      rows,
      index,
      pipeline: pipeline,
      model,
      refreshAllDigests: refreshAllDigests,
    }),
    feedback: (event) =>
      findToolFeedback(
        {
          rows,
          sessionEvents: (query) => liveStore.use((store) => store.facts.sessionEvents(query)),
          rules,
          nowMs,
        },
        event,
      ),
    flush: pipeline.flush,
    discardInFlight: () => digests.discardInFlight(),
    scrub: () => index.scrub(),
    reload: reload,
  };
}

interface Parts {
  readonly pipeline: MemoryPipeline;
  readonly index: MemoryIndex;
  readonly injection: Injection;
  readonly welcome: Welcome;
}

/** Digests are as the last daemon left them; only those no longer allowed by rules or address are rebuilt. */
async function prepareMemory(
  rows: MemoryRows,
  { pipeline, index, injection, welcome, onError }: Parts & { onError: (error: unknown) => void },
): Promise<void> {
  const { digests } = injection;
  const projects = await rows.projects();
  digests.markStale(projects.slice(0, MAX_PROJECTS_AT_START).filter((project) => !digests.isReady(project)));
  welcome.prepare(projects.length > 0);
  const hasWork = (await rows.outboxSize()) > 0;
  if (hasWork) pipeline.drain().catch(onError);
  if (hasWork || projects.length > 0) index.changed();
}

function createListener(
  { home }: Base,
  {
    pipeline,
    index,
    injection,
    welcome,
    recordEvent,
  }: Parts & { recordEvent: (event: HooklineEvent) => void },
): AppliedListener {
  const { digests } = injection;
  return ({ events }) => {
    pipeline.onEvents(events);
    welcome.onEvents(events);
    for (const event of events) {
      if (event.eventType === "compaction" && event.phase === "started")
        digests.beforeCompaction(event.sessionId);
      if (!isSessionStart(event)) continue;
      // A search may follow soon, but not in a backlog.
      if (events.length < BACKLOG_EVENTS) index.warm();
      const injectionEvent = startInjectionEvent(event, home, digests.injectedAt);
      if (injectionEvent !== undefined) recordEvent(injectionEvent);
    }
  };
}
