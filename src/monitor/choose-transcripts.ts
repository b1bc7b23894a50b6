import type { AgentId } from "../agents/hook-delivery.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

/**
 * Chooses which transcripts to follow: those of live sessions, and once that of a session that ended
 * unfollowed.
 */
export interface TranscriptChooser {
  follow(transcript: FollowedTranscript): void;
  sessionChanged(snapshot: SessionSnapshot): void;
}

export interface FollowedTranscript {
  readonly sessionId: string;
  readonly path: string;
  /** The agent that writes the transcript. */
  readonly provider: AgentId;
}

export interface TranscriptChooserOptions {
  /** A transcript to follow, or to stop following. */
  readonly follow: (transcript: FollowedTranscript) => void;
  readonly unfollow: (sessionId: string) => void;
}

export function createTranscriptChooser(options: TranscriptChooserOptions): TranscriptChooser {
  const followed = new Map<string, string>();
  /** Sessions that ended before they could be followed; their transcript is read once. */
  const readOnce = new Set<string>();

  const follow = (transcript: FollowedTranscript): void => {
    const { sessionId, path } = transcript;
    if (followed.get(sessionId) === path) return;
    followed.set(sessionId, path);
    options.follow(transcript);
  };

  return {
    follow,
    sessionChanged({ sessionId, state, transcriptPath, provider }) {
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
