import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import { type Acceptor, createAcceptor } from "../capture/accept.ts";
import { createSpoolCapture, type SpoolCapture, type SpoolCaptureOptions } from "../capture/capture-spool.ts";
import { type CaptureDrive, driveCapture } from "../capture/drive-capture.ts";
import { createHiddenTurns } from "../capture/hidden-turns.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { createRecord, type RecordEvents } from "../capture/record.ts";
import { followRules, type MayRecord } from "../capture/recording-rules.ts";
import type { TailPosition } from "../capture/tail-file.ts";
import type { HooklineEvent } from "../event/event.ts";
import { createListeners, type Listeners } from "../listeners.ts";
import type { Log } from "../log/log.ts";
import { createFollowSoon, type FollowSoon } from "../store/follow-soon.ts";
import type { Base } from "./base.ts";
import { type Keeping, openKeeping } from "./keeping.ts";
import { tellError } from "./notices.ts";
import { createMemorySettler } from "./release-heap.ts";

/** Everything between what is told and what is kept: who may be recorded, how it is accepted, and where it goes. */
export interface Recording extends Keeping {
  readonly projectOf: ProjectOf;
  readonly mayRecord: MayRecord;
  /** Whether a session of that folder is one of ours: a model that is asked on our behalf. */
  isOwn(cwd: string | null): boolean;
  /** What is known to be private is so for all of them. */
  openAcceptor(): Acceptor;
  readonly append: Log["append"];
  readonly record: RecordEvents;
  readonly followSoon: FollowSoon;
  /** What hooks have left in the spool. */
  readonly spool: CaptureDrive & Pick<SpoolCapture, "requestId">;
  /** One acceptor for all that other programs tell. */
  readonly acceptor: Acceptor;
  /** What was heard and may not be recorded: a request that it ends is over all the same. */
  readonly unrecorded: Listeners<[HooklineEvent]>;
  loadOffset(key: string): Promise<TailPosition | undefined>;
  saveOffset(key: string, position: TailPosition, lastEventIso: string | null): Promise<void>;
  /** What rewrites the log does not stumble over a damaged part of it. */
  tendSound<T>(work: () => Promise<T>): Promise<T>;
}

export async function startRecording(base: Base): Promise<Recording> {
  const { home, agents, scope, notice } = base;
  const keeping = await openKeeping(base);
  const { log, keeper, recall } = keeping;
  const rules = followRules(home.configFile, home.pauses);
  const ownFolder = join(realpathSync(home.dir), basename(home.modelFolder));
  const mayRecord: MayRecord = (place) => place.cwd !== ownFolder && rules(place);
  const hidden = createHiddenTurns();
  const unrecorded = createListeners<[HooklineEvent]>();
  const openAcceptor = (): Acceptor =>
    createAcceptor({
      mayRecord,
      recall: recall.ask,
      timesForgotten: recall.timesForgotten,
      hidden,
      reportedCall: agents.prompts.reportedCall,
      onUnrecorded: unrecorded.tell,
    });
  const acceptor = openAcceptor();
  const projectOf = createProjectOf();
  const settler = createMemorySettler();
  scope.defer(() => settler.close());
  settler.soon();
  const onTrouble = (error: unknown): void => notice(`following the log failed: ${tellError(error)}`);
  const { follow } = keeper;
  const followSoon = createFollowSoon({ follow, onMany: settler.soon, onTrouble });
  return {
    ...keeping,
    projectOf,
    mayRecord,
    isOwn: (cwd) => cwd === ownFolder,
    openAcceptor,
    acceptor,
    append: log.append,
    record: createRecord({ acceptor: openAcceptor(), append: log.append, follow, onTrouble }),
    followSoon,
    spool: openSpool(base, keeping, { projectOf, acceptor, onTaken: followSoon.afterFiles }),
    unrecorded,
    ...offsets(keeping),
    tendSound: (work) =>
      log.exclusively(async () => {
        await keeper.checkLog();
        return work();
      }),
  };
}

/** What hooks have written, read as soon as they have. */
function openSpool(
  { home, agents, clock, notice }: Base,
  { log, quarantine }: Keeping,
  how: Pick<SpoolCaptureOptions, "projectOf" | "acceptor" | "onTaken">,
): Recording["spool"] {
  let isEnding = false;
  const capture = createSpoolCapture({
    ...how,
    isEnding: () => isEnding,
    spoolDir: home.spool,
    agents,
    append: log.append,
    quarantine,
    monotonicMs: () => performance.now(),
    nowMs: clock.cautiousMs,
  });
  const drive = driveCapture({
    spoolDir: home.spool,
    drain: capture.drain,
    onTrouble: (error) => notice(`capture is waiting: ${tellError(error)}`),
  });
  return {
    ...drive,
    requestId: capture.requestId,
    close() {
      isEnding = true;
      return drive.close();
    },
  };
}

/** How far files of others were read. */
function offsets({ keeper }: Keeping): Pick<Recording, "loadOffset" | "saveOffset"> {
  return {
    loadOffset: (key) => keeper.use((store) => store.facts.streamOffset(key)),
    // The time of what was read, not of the reading: the same input gives the same row.
    saveOffset: (key, position, lastEventIso) =>
      keeper.use((store) => store.facts.saveStreamOffset(key, position, lastEventIso)),
  };
}
