import type { HooklineEvent } from "../event/event.ts";
import type { FollowedTranscript } from "./choose-transcripts.ts";
import { decideEvidence, statusEvent } from "./decide-evidence.ts";
import type { SeenEntry } from "./registry-entries.ts";
import type { SessionBook } from "./session-book.ts";

/** What follows for our sessions from the agent's own registry. */
export interface RegistryEvidence {
  /** The registry as it is now. */
  update(entries: readonly SeenEntry[]): void;
  isEmpty(): boolean;
  /** The sessions whose views `events` needs. */
  sessionIds(): readonly string[];
  /** What the registry says and is not known yet. */
  events(): HooklineEvent[];
  /** What was offered was not taken: it is offered again. */
  offerAgain(): void;
}

export interface RegistryEvidenceOptions {
  readonly book: SessionBook;
  readonly nowMs: () => number;
  readonly projectOf: (cwd: string | null) => string | null;
  /** The transcript of a session that only its agent's registry tells of. */
  readonly locateTranscript: (entry: SeenEntry) => string | null;
}

/** How long hooks get to tell of a session before the registry does. */
const HOOKS_MS = 3_000;

export function createRegistryEvidence(
  options: RegistryEvidenceOptions,
  follow: (transcript: FollowedTranscript) => void,
): RegistryEvidence {
  const { book, nowMs } = options;
  let registry: readonly SeenEntry[] = [];
  /** What was last offered of sessions that nobody told of: of an excluded project it is refused, and not offered again. */
  const offered = new Map<string, string>();

  const meant = (): readonly SeenEntry[] =>
    registry.filter(
      ({ alive, status, sessionId }) => alive !== false && !(status === "idle" && isResting(book, sessionId)),
    );

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

  return {
    update(entries) {
      registry = entries;
    },
    isEmpty: () => registry.length === 0,
    sessionIds: () => meant().map(({ sessionId }) => sessionId),
    events: () =>
      meant().flatMap((entry) => {
        const { sessionId } = entry;
        const view = book.view(sessionId);
        if (view === undefined) return untold(entry);
        const event = decideEvidence(view, entry, book.moment(sessionId));
        return event === null ? [] : [seenFrom(entry, event)];
      }),
    offerAgain: () => offered.clear(),
  };
}

/** Nothing was heard of it for long and it does nothing: not worth the making of its view. */
function isResting(book: SessionBook, sessionId: string): boolean {
  if (!book.isAsleep(sessionId)) return false;
  const phase = book.snapshot(sessionId)?.activityPhase;
  return phase !== "busy" && phase !== "compacting" && !phase?.startsWith("waiting_");
}

/** A process of another machine or container cannot be looked after from here: without its number, nobody tries. */
function seenFrom({ alive }: SeenEntry, event: HooklineEvent): HooklineEvent {
  if (alive !== null) return event;
  const { pid: _pid, ...rest } = event;
  return rest as HooklineEvent;
}
