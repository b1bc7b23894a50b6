import type { LogReader, Position } from "../log/log.ts";
import { type AppliedListener, eventsOf } from "../store/applied-batches.ts";
import type { SessionKeeper } from "./keep-sessions.ts";

export interface TellOptions {
  readonly log: LogReader;
  /** Up to where the sessions were saved; undefined when there was nothing to save. */
  readonly savedPosition: () => Promise<Position | undefined>;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Tells the sessions what the store takes, and beside it what the log told since they were last saved. Until all of that
 * is read, and from the first batch on that could not be told, the saved position stays where it is: what a failure left
 * unread is read at the next start.
 */
export function tellSessions(sessions: SessionKeeper, options: TellOptions): AppliedListener {
  let isLevel = false;
  let hasFailed = false;
  catchUp(sessions, options).then(() => {
    isLevel = true;
  }, options.onTrouble);
  return async ({ events, next }) => {
    try {
      await sessions.told(events, isLevel && !hasFailed ? next : undefined);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
}

async function catchUp(sessions: SessionKeeper, { log, savedPosition }: TellOptions): Promise<void> {
  const from = await savedPosition();
  await sessions.told([], from);
  for await (const batch of log.read(from)) await sessions.told(eventsOf(batch), batch.next);
  // Then what was never saved.
  await sessions.fill();
}
