import type { LogReader, Position } from "../log/log.ts";
import { type AppliedListener, eventsOf } from "../store/applied-batches.ts";
import type { SessionTracker } from "./session-tracker.ts";

export interface FeedOptions {
  readonly log: LogReader;
  /** The position up to which sessions were saved; undefined when nothing was. */
  readonly savedPosition: () => Promise<Position | undefined>;
  readonly onError: (error: unknown) => void;
}

/**
 * Feeds the sessions what the store applies and, in parallel, what was logged since they were last saved.
 * Until all of that is read, and after the first batch that fails, the saved position does not move: the next
 * start reads what a failure left unread.
 */
export function feedSessionTracker(sessions: SessionTracker, options: FeedOptions): AppliedListener {
  let isLevel = false;
  let hasFailed = false;
  catchUp(sessions, options).then(() => {
    isLevel = true;
  }, options.onError);
  return async ({ events, next }) => {
    try {
      await sessions.onEvents(events, isLevel && !hasFailed ? next : undefined);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
}

async function catchUp(sessions: SessionTracker, { log, savedPosition }: FeedOptions): Promise<void> {
  const from = await savedPosition();
  await sessions.onEvents([], from);
  for await (const batch of log.read(from)) await sessions.onEvents(eventsOf(batch), batch.next);
  // Then the sessions that were never saved.
  await sessions.buildMissingRows();
}
