import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import { type Acceptor, createAcceptor } from "../capture/accept.ts";
import { type CaptureLoop, openCaptureLoop } from "../capture/capture-loop.ts";
import { createSpoolCapture, type SpoolCapture, type SpoolCaptureOptions } from "../capture/capture-spool.ts";
import { createHiddenTurns } from "../capture/hidden-turns.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { createRecorder, type RecordEvents } from "../capture/record.ts";
import { followRecordingRules, type MayRecord } from "../capture/recording-rules.ts";
import type { TailPosition } from "../capture/tail-file.ts";
import type { HooklineEvent } from "../event/event.ts";
import { createListeners, type Listeners } from "../listeners.ts";
import type { Log } from "../log/log.ts";
import { createStoreBackpressure, type StoreBackpressure } from "../store/store-backpressure.ts";
import type { Base } from "./base.ts";
import { errorText } from "./daemon-messages.ts";
import { type LogAndStore, openLogAndStore } from "./log-and-store.ts";
import { createHeapReleaser } from "./release-heap.ts";

/** Everything between capture and storage: what may be recorded, how it is accepted, and where it goes. */
export interface Recording extends LogAndStore {
  readonly projectOf: ProjectOf;
  readonly mayRecord: MayRecord;
  /** Whether a session in that folder is one of ours: a model queried on our behalf. */
  isModelFolder(cwd: string | null): boolean;
  /** All acceptors share what is known to be private. */
  openAcceptor(): Acceptor;
  readonly append: Log["append"];
  readonly record: RecordEvents;
  readonly followSoon: StoreBackpressure;
  /** Captures what hooks left in the spool. */
  readonly spool: CaptureLoop & Pick<SpoolCapture, "requestId">;
  /** One acceptor for all events from other programs. */
  readonly acceptor: Acceptor;
  /** Events that may not be recorded: a request that one of them ends is over all the same. */
  readonly unrecorded: Listeners<[HooklineEvent]>;
  loadOffset(key: string): Promise<TailPosition | undefined>;
  saveOffset(key: string, position: TailPosition, lastEventIso: string | null): Promise<void>;
  /** Repairs the log before work that rewrites it, so that a damaged part cannot break it. */
  withSoundLog<T>(work: () => Promise<T>): Promise<T>;
}

export async function startRecording(base: Base): Promise<Recording> {
  const { home, agents, scope, notice } = base;
  const storage = await openLogAndStore(base);
  const { log, liveStore, recall } = storage;
  const rules = followRecordingRules(home.configFile, home.pauses);
  const ownFolder = join(realpathSync(home.dir), basename(home.modelFolder));
  const mayRecord: MayRecord = (place) => place.cwd !== ownFolder && rules(place);
  const hidden = createHiddenTurns();
  const unrecorded = createListeners<[HooklineEvent]>();
  const openAcceptor = (): Acceptor =>
    createAcceptor({
      mayRecord,
      recall: recall.ask,
      forgetCount: recall.timesForgotten,
      hidden,
      reportedCall: agents.prompts.reportedCall,
      onUnrecorded: unrecorded.emit,
    });
  const acceptor = openAcceptor();
  const projectOf = createProjectOf();
  const heapReleaser = createHeapReleaser();
  scope.defer(() => heapReleaser.close());
  heapReleaser.releaseSoon();
  const onFollowError = (error: unknown): void => notice(`following the log failed: ${errorText(error)}`);
  const { follow } = liveStore;
  const followSoon = createStoreBackpressure({
    follow,
    onLargeBatch: heapReleaser.releaseSoon,
    onError: onFollowError,
  });
  return {
    ...storage,
    projectOf,
    mayRecord,
    isModelFolder: (cwd) => cwd === ownFolder,
    openAcceptor,
    acceptor,
    append: log.append,
    record: createRecorder({ acceptor: openAcceptor(), append: log.append, follow, onError: onFollowError }),
    followSoon,
    spool: openSpool(base, storage, { projectOf, acceptor, onBatch: followSoon.afterFiles }),
    unrecorded,
    ...offsets(storage),
    withSoundLog: (work) =>
      log.runExclusive(async () => {
        await liveStore.repairLog();
        return work();
      }),
  };
}

/** Reads hooks' files as soon as they are written. */
function openSpool(
  { home, agents, clock, notice }: Base,
  { log, quarantine }: LogAndStore,
  options: Pick<SpoolCaptureOptions, "projectOf" | "acceptor" | "onBatch">,
): Recording["spool"] {
  let isStopping = false;
  const capture = createSpoolCapture({
    ...options,
    isStopping: () => isStopping,
    spoolDir: home.spool,
    agents,
    append: log.append,
    quarantine,
    monotonicMs: () => performance.now(),
    nowMs: clock.cautiousMs,
  });
  const loop = openCaptureLoop({
    spoolDir: home.spool,
    drain: capture.drain,
    onError: (error) => notice(`capture is paused and retries: ${errorText(error)}`),
  });
  return {
    ...loop,
    requestId: capture.requestId,
    close() {
      isStopping = true;
      return loop.close();
    },
  };
}

/** How far files of other programs were read. */
function offsets({ liveStore }: LogAndStore): Pick<Recording, "loadOffset" | "saveOffset"> {
  return {
    loadOffset: (key) => liveStore.use((store) => store.facts.streamOffset(key)),
    // The time of the event, not of reading it, so that the same input gives the same row.
    saveOffset: (key, position, lastEventIso) =>
      liveStore.use((store) => store.facts.saveStreamOffset(key, position, lastEventIso)),
  };
}
