import type { HooklineEvent } from "../event/event.ts";
import type { FollowedTranscript } from "./choose-transcripts.ts";
import { decideEvidence, statusEvent } from "./decide-evidence.ts";
import type { RegistryEntry } from "./registry-entries.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

/** Derives events for our sessions from the agent's own registry. */
export interface RegistryEvidence {
  /** Replaces the registry's entries. */
  update(entries: readonly RegistryEntry[]): void;
  isEmpty(): boolean;
  /** The sessions whose views `events` needs. */
  sessionIds(): readonly string[];
  /** Returns events for what the registry shows and the views do not. */
  events(): HooklineEvent[];
  /** The offered events were not recorded: offers them again. */
  resetOffered(): void;
}

export interface RegistryEvidenceOptions {
  readonly watched: WatchedSessions;
  readonly nowMs: () => number;
  readonly projectOf: (cwd: string | null) => string | null;
  /** The transcript of a session known only from its agent's registry. */
  readonly locateTranscript: (entry: RegistryEntry) => string | null;
}

/** How long hooks have to report a session before the registry does. */
const HOOK_GRACE_MS = 3_000;

export function createRegistryEvidence(
  options: RegistryEvidenceOptions,
  follow: (transcript: FollowedTranscript) => void,
): RegistryEvidence {
  const { watched, nowMs } = options;
  let registry: readonly RegistryEntry[] = [];
  /** The last offer per unreported session: one of an excluded project is refused, and not offered again. */
  const offered = new Map<string, string>();

  const relevantEntries = (): readonly RegistryEntry[] =>
    registry.filter(
      ({ alive, status, sessionId }) =>
        alive !== false && !(status === "idle" && isAsleepAndInactive(watched, sessionId)),
    );

  /** A session without our hooks: known from the agent's registry and its transcript. */
  const eventsForUnknown = (entry: RegistryEntry): HooklineEvent[] => {
    if (entry.status === null || nowMs() - (entry.startedAtMs ?? nowMs()) < HOOK_GRACE_MS) return [];
    const event = statusEvent(entry.sessionId, entry, entry.cwd, options.projectOf(entry.cwd));
    if (offered.get(entry.sessionId) === event.id) return [];
    offered.set(entry.sessionId, event.id);
    const { sessionId, provider } = entry;
    const path = options.locateTranscript(entry);
    if (path !== null) follow({ sessionId, path, provider });
    return [withoutForeignPid(entry, event)];
  };

  return {
    update(entries) {
      registry = entries;
    },
    isEmpty: () => registry.length === 0,
    sessionIds: () => relevantEntries().map(({ sessionId }) => sessionId),
    events: () =>
      relevantEntries().flatMap((entry) => {
        const { sessionId } = entry;
        const view = watched.view(sessionId);
        if (view === undefined) return eventsForUnknown(entry);
        const event = decideEvidence(view, entry, watched.moment(sessionId));
        return event === null ? [] : [withoutForeignPid(entry, event)];
      }),
    resetOffered: () => offered.clear(),
  };
}

/** Quiet for long and inactive: not worth building its view. */
function isAsleepAndInactive(watched: WatchedSessions, sessionId: string): boolean {
  if (!watched.isAsleep(sessionId)) return false;
  const phase = watched.snapshot(sessionId)?.activityPhase;
  return phase !== "busy" && phase !== "compacting" && !phase?.startsWith("waiting_");
}

/** A process of another machine or container cannot be checked from here, so drop its pid. */
function withoutForeignPid({ alive }: RegistryEntry, event: HooklineEvent): HooklineEvent {
  if (alive !== null) return event;
  const { pid: _pid, ...rest } = event;
  return rest as HooklineEvent;
}
