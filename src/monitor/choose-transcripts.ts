import type { AgentId } from "../agents/hook-delivery.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

/** Chooses the transcripts that are followed: those of live sessions, and once that of one that ended unfollowed. */
export interface TranscriptChooser {
  follow(transcript: FollowedTranscript): void;
  /** A session as it is now. */
  changed(snapshot: SessionSnapshot): void;
}

export interface FollowedTranscript {
  readonly sessionId: string;
  readonly path: string;
  /** Whose transcript it is. */
  readonly provider: AgentId;
}

export interface TranscriptOptions {
  /** A transcript worth following, or no longer. */
  readonly follow: (transcript: FollowedTranscript) => void;
  readonly unfollow: (sessionId: string) => void;
}

export function createTranscriptChooser(options: TranscriptOptions): TranscriptChooser {
  const followed = new Map<string, string>();
  /** Ended before they could be followed, and read once. */
  const readOnce = new Set<string>();

  const follow = (transcript: FollowedTranscript): void => {
    const { sessionId, path } = transcript;
    if (followed.get(sessionId) === path) return;
    followed.set(sessionId, path);
    options.follow(transcript);
  };

  return {
    follow,
    changed({ sessionId, state, transcriptPath, provider }) {
      if (transcriptPath !== null && (isLive(state) || !readOnce.has(sessionId)))
        follow({ sessionId, path: transcriptPath, provider });
      if (isLive(state) || !followed.delete(sessionId)) return;
      readOnce.add(sessionId);
      options.unfollow(sessionId);
    },
  };
}

export function isLive(state: SessionSnapshot["state"]): boolean {
  return state === "active" || state === "idle";
}
