import type { HooklineEvent } from "../event/event.ts";
import { createTranscriptChooser, isLive, type TranscriptOptions } from "./choose-transcripts.ts";
import { createGoneFinder, goneEvents, type IsAlive } from "./find-gone.ts";
import type { SeenEntry } from "./registry-entries.ts";
import { createRegistryEvidence, type RegistryEvidenceOptions } from "./registry-evidence.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

/** What the daemon sees beside the hooks: processes that live or do not, and the agent's own registry. */
export interface EvidenceWatch {
  /** A session as it is now. */
  changed(snapshot: SessionSnapshot): void;
  /** The agent's registry as it is now. */
  entries(entries: readonly SeenEntry[]): void;
  close(): Promise<void>;
}

export interface EvidenceOptions extends RegistryEvidenceOptions, TranscriptOptions {
  /** Wakes the sessions that `wanted` names, then runs `act` in the same turn. */
  readonly wake: <T>(wanted: () => readonly string[], act: () => T) => Promise<T>;
  readonly isAlive: IsAlive;
  /** Takes what still lies in the spool: a process that is gone may have said that it ends. */
  readonly flush: () => Promise<void>;
  /** Writes what was seen into the log. */
  readonly note: (events: readonly HooklineEvent[]) => Promise<void>;
  /** The sessions as the time that passed has made them. */
  readonly onTick: (snapshots: readonly SessionSnapshot[]) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly tickMs?: number;
}

const TICK_MS = 1_500;

export function watchEvidence(options: EvidenceOptions): EvidenceWatch {
  const { book, nowMs } = options;
  const transcripts = createTranscriptChooser(options);
  const registry = createRegistryEvidence(options, transcripts.follow);
  const finder = createGoneFinder(options.isAlive);
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let noting: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  /** What the registry says now, and that these processes are gone. */
  const noteFound = async (gone: readonly SessionSnapshot[]): Promise<void> => {
    const found = await options.wake(
      () => [...registry.sessionIds(), ...gone.map(({ sessionId }) => sessionId)],
      () => [...registry.events(), ...goneEvents(book, gone, nowMs())],
    );
    if (found.length === 0) return;
    try {
      await options.note(found);
    } catch (error) {
      registry.offerAgain();
      throw error;
    }
  };

  const look = async (): Promise<boolean> => {
    if (finder.hasSuspects()) await options.flush();
    const snapshots = book.snapshots();
    options.onTick(snapshots);
    const live = snapshots.filter(({ state }) => isLive(state));
    await noteFound(finder.find(live));
    return live.length > 0 || !registry.isEmpty();
  };

  /** Goes on while there is a session that may change without a word. */
  const lookSoon = (): void => {
    if (isClosed || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      looking = look()
        .catch((error) => {
          options.onTrouble(error);
          return true;
        })
        .then((isNeeded) => {
          if (isNeeded) lookSoon();
        });
    }, options.tickMs ?? TICK_MS).unref();
  };

  return {
    changed(snapshot) {
      transcripts.changed(snapshot);
      if (isLive(snapshot.state)) lookSoon();
    },
    entries(entries) {
      registry.update(entries);
      noting = Promise.all([noting, noteFound([]).catch(options.onTrouble)]);
      lookSoon();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer ?? undefined);
      await looking;
      await noting;
    },
  };
}
