import type { HooklineEvent } from "../event/event.ts";
import { createTranscriptChooser, isLive, type TranscriptChooserOptions } from "./choose-transcripts.ts";
import { createDeadProcessFinder, type IsAlive, processGoneEvents } from "./find-dead-processes.ts";
import type { RegistryEntry } from "./registry-entries.ts";
import { createRegistryEvidence, type RegistryEvidenceOptions } from "./registry-evidence.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

/** What the daemon observes beyond hooks: whether processes are alive, and the agent's own registry. */
export interface EvidenceWatch {
  sessionChanged(snapshot: SessionSnapshot): void;
  /** The agent's registry as it is now. */
  registryChanged(entries: readonly RegistryEntry[]): void;
  close(): Promise<void>;
}

export interface EvidenceWatchOptions extends RegistryEvidenceOptions, TranscriptChooserOptions {
  /** Wakes the sessions that `wanted` returns, then runs `act` in the same tick. */
  readonly wake: <T>(wanted: () => readonly string[], act: () => T) => Promise<T>;
  readonly isAlive: IsAlive;
  /** Ingests what is left in the spool: a dead process may have reported its end there. */
  readonly flush: () => Promise<void>;
  /** Writes the observed events to the log. */
  readonly record: (events: readonly HooklineEvent[]) => Promise<void>;
  /** Called with all sessions, updated for the time passed. */
  readonly onTick: (snapshots: readonly SessionSnapshot[]) => void;
  readonly onError: (error: unknown) => void;
  readonly tickMs?: number;
}

const TICK_MS = 1_500;

export function watchEvidence(options: EvidenceWatchOptions): EvidenceWatch {
  const { watched, nowMs } = options;
  const transcripts = createTranscriptChooser(options);
  const registry = createRegistryEvidence(options, transcripts.follow);
  const finder = createDeadProcessFinder(options.isAlive);
  let timer: NodeJS.Timeout | null = null;
  let checking: Promise<void> | null = null;
  let recording: Promise<void> | null = null;
  let isRegistryNewer = false;
  let isClosed = false;

  /** Records what the registry shows now, and that these processes are gone. */
  const recordEvidence = async (dead: readonly SessionSnapshot[]): Promise<void> => {
    const events = await options.wake(
      () => [...registry.sessionIds(), ...dead.map(({ sessionId }) => sessionId)],
      () => [...registry.events(), ...processGoneEvents(watched, dead, nowMs())],
    );
    if (events.length === 0) return;
    try {
      await options.record(events);
    } catch (error) {
      registry.resetOffered();
      throw error;
    }
  };

  /** One write at a time: what changes during it is recorded as it is afterwards. */
  const recordRegistry = async (): Promise<void> => {
    try {
      while (isRegistryNewer) {
        isRegistryNewer = false;
        await recordEvidence([]).catch(options.onError);
      }
    } finally {
      recording = null;
    }
  };

  const check = async (): Promise<boolean> => {
    if (finder.hasSuspects()) await options.flush();
    const snapshots = watched.snapshots();
    options.onTick(snapshots);
    const live = snapshots.filter(({ state }) => isLive(state));
    await recordEvidence(finder.find(live));
    return live.length > 0 || !registry.isEmpty();
  };

  /** Repeats while a session may change without an event. */
  const scheduleCheck = (): void => {
    if (isClosed || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      checking = check()
        .catch((error) => {
          options.onError(error);
          return true;
        })
        .then((isNeeded) => {
          if (isNeeded) scheduleCheck();
        });
    }, options.tickMs ?? TICK_MS).unref();
  };

  return {
    sessionChanged(snapshot) {
      transcripts.sessionChanged(snapshot);
      if (isLive(snapshot.state)) scheduleCheck();
    },
    registryChanged(entries) {
      registry.update(entries);
      isRegistryNewer = true;
      recording ??= recordRegistry();
      scheduleCheck();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer ?? undefined);
      await checking;
      await recording;
    },
  };
}
