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
 * Feeds the tracker what the store applies and, in parallel, what was logged since the last save. Until all
 * of that is read, and after the first failed batch, the saved position does not move, so the next start
 * reads again what a failure skipped.
 */
export function feedSessionTracker(sessions: SessionTracker, options: FeedOptions): AppliedListener {
  let isCaughtUp = false;
  let hasFailed = false;
  catchUp(sessions, options).then(() => {
    isCaughtUp = true;
  }, options.onError);
  return async ({ events, next }) => {
    try {
      await sessions.onEvents(events, isCaughtUp && !hasFailed ? next : undefined);
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
  // Sessions that were never saved are not in the log after `from`.
  await sessions.buildMissingRows();
}
