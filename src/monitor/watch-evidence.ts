import type { AgentId } from "../agents/hook-delivery.ts";
import type { HooklineEvent } from "../event/event.ts";
import { decideEvidence, goneEvent, statusEvent } from "./decide-evidence.ts";
import { livingProcess } from "./read-turns.ts";
import type { SessionBook } from "./session-book.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import type { SeenEntry } from "./watch-registry.ts";

/** What the daemon sees beside the hooks: processes that live or do not, and the agent's own registry. */
export interface EvidenceWatch {
  /** A session as it is now. */
  changed(snapshot: SessionSnapshot): void;
  /** The agent's registry as it is now. */
  entries(entries: readonly SeenEntry[]): void;
  close(): Promise<void>;
}

export interface FollowedTranscript {
  readonly sessionId: string;
  readonly path: string;
  /** Whose transcript it is. */
  readonly provider: AgentId;
}

export interface EvidenceOptions {
  readonly book: SessionBook;
  /** Wakes the sessions that `wanted` names, then runs `act` in the same turn. */
  readonly wake: <T>(wanted: () => readonly string[], act: () => T) => Promise<T>;
  readonly nowMs: () => number;
  readonly isAlive: (pid: number, options: { startedBeforeMs: number }) => boolean;
  /** Takes what still lies in the spool: a process that is gone may have said that it ends. */
  readonly flush: () => Promise<void>;
  /** Writes what was seen into the log. */
  readonly note: (events: readonly HooklineEvent[]) => Promise<void>;
  readonly projectOf: (cwd: string | null) => string | null;
  /** The transcript of a session that only its agent's registry tells of. */
  readonly locateTranscript: (entry: SeenEntry) => string | null;
  /** A transcript worth following, or no longer. */
  readonly follow: (transcript: FollowedTranscript) => void;
  readonly unfollow: (sessionId: string) => void;
  /** The sessions as the time that passed has made them. */
  readonly onTick: (snapshots: readonly SessionSnapshot[]) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly tickMs?: number;
}

const TICK_MS = 1_500;
/** The clock is read in two places, and by two processes. */
const START_SLACK_MS = 5_000;
/** How long hooks get to tell of a session before the registry does. */
const HOOKS_MS = 3_000;

export function watchEvidence(options: EvidenceOptions): EvidenceWatch {
  const { book, nowMs } = options;
  let registry: readonly SeenEntry[] = [];
  const suspects = new Set<string>();
  const followed = new Map<string, string>();
  /** What was last offered of sessions that nobody told of: of an excluded project it is refused, and not offered again. */
  const offered = new Map<string, string>();
  /** Ended before they could be followed, and read once. */
  const readOnce = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let noting: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const meantEntries = (): readonly SeenEntry[] =>
    registry.filter(
      ({ alive, status, sessionId }) => alive !== false && !(status === "idle" && isResting(sessionId)),
    );

  const registryEvents = (): HooklineEvent[] =>
    meantEntries().flatMap((entry) => {
      const { sessionId } = entry;
      const view = book.view(sessionId);
      if (view === undefined) return untold(entry);
      const event = decideEvidence(view, entry, book.moment(sessionId));
      return event === null ? [] : [seenFrom(entry, event)];
    });

  /** Nothing was heard of it for long and it does nothing: not worth the making of its view. */
  const isResting = (sessionId: string): boolean => {
    if (!book.isAsleep(sessionId)) return false;
    const phase = book.snapshot(sessionId)?.activityPhase;
    return phase !== "busy" && phase !== "compacting" && !phase?.startsWith("waiting_");
  };

  /** A session that runs without our hooks: known by the agent's word and its transcript. */
  const untold = (entry: SeenEntry): HooklineEvent[] => {
    if (entry.status === null || nowMs() - (entry.startedAtMs ?? nowMs()) < HOOKS_MS) return [];
    const event = statusEvent(entry.sessionId, entry, entry.cwd, options.projectOf(entry.cwd));
    if (offered.get(entry.sessionId) === event.id) return [];
    offered.set(entry.sessionId, event.id);
    const { sessionId, provider } = entry;
    const path = options.locateTranscript(entry);
    if (path !== null) follow({ sessionId, path, provider });
    return [seenFrom(entry, event)];
  };

  /** Suspected once, then found a second time after the spool was taken: it went without a word. */
  const findGone = (live: readonly SessionSnapshot[]): SessionSnapshot[] =>
    live.filter(({ sessionId, pid, lastEventAtIso }) => {
      if (pid === null) return false;
      // One that began after the last word of the session is another with the same pid.
      const startedBeforeMs = Date.parse(lastEventAtIso) + START_SLACK_MS;
      const isAlive = options.isAlive(pid, { startedBeforeMs });
      const isSuspect = suspects.delete(sessionId);
      if (!isAlive && !isSuspect) suspects.add(sessionId);
      return !isAlive && isSuspect;
    });

  const goneEvents = (gone: readonly SessionSnapshot[]): HooklineEvent[] =>
    gone.flatMap(({ sessionId, pid }) => {
      const view = book.view(sessionId);
      if (view === undefined || pid === null || livingProcess(view)?.pid !== pid) return [];
      return [goneEvent(view, pid, new Date(nowMs()).toISOString())];
    });

  /** What the registry says now, and that these processes are gone. */
  const readEvents = (gone: readonly SessionSnapshot[]): Promise<HooklineEvent[]> =>
    options.wake(
      () => [...meantEntries(), ...gone].map(({ sessionId }) => sessionId),
      () => [...registryEvents(), ...goneEvents(gone)],
    );

  const follow = (transcript: FollowedTranscript): void => {
    const { sessionId, path } = transcript;
    if (followed.get(sessionId) === path) return;
    followed.set(sessionId, path);
    options.follow(transcript);
  };

  const followOrNot = ({ sessionId, state, transcriptPath, provider }: SessionSnapshot): void => {
    if (transcriptPath !== null && (isLive(state) || !readOnce.has(sessionId)))
      follow({ sessionId, path: transcriptPath, provider });
    if (isLive(state) || !followed.delete(sessionId)) return;
    readOnce.add(sessionId);
    options.unfollow(sessionId);
  };

  const note = async (events: readonly HooklineEvent[]): Promise<void> => {
    try {
      await options.note(events);
    } catch (error) {
      offered.clear();
      throw error;
    }
  };

  const noteFound = async (gone: readonly SessionSnapshot[]): Promise<void> => {
    const found = await readEvents(gone);
    if (found.length > 0) await note(found);
  };

  const look = async (): Promise<boolean> => {
    if (suspects.size > 0) await options.flush();
    const snapshots = book.snapshots();
    options.onTick(snapshots);
    const live = snapshots.filter(({ state }) => isLive(state));
    await noteFound(findGone(live));
    return live.length > 0 || registry.length > 0;
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
      followOrNot(snapshot);
      if (isLive(snapshot.state)) lookSoon();
    },
    entries(entries) {
      registry = entries;
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

/** A process of another machine or container cannot be looked after from here: without its number, nobody tries. */
function seenFrom({ alive }: SeenEntry, event: HooklineEvent): HooklineEvent {
  if (alive !== null) return event;
  const { pid: _pid, ...rest } = event;
  return rest as HooklineEvent;
}

function isLive(state: SessionSnapshot["state"]): boolean {
  return state === "active" || state === "idle";
}
