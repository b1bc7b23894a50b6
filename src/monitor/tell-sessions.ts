import type { LogReader, Position } from "../log/log.ts";
import { type AppliedListener, eventsOf } from "../store/applied-batches.ts";
import type { SessionKeeper } from "./keep-sessions.ts";

export interface TellOptions {
  readonly log: LogReader;
  /** Up to where the sessions were saved; undefined when they never were. */
  readonly savedPosition: () => Promise<Position | undefined>;
  readonly storePosition: () => Promise<Position | undefined>;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Tells the sessions what the store takes, and beside it what the log told since they were last saved. Until all of that
 * is read the saved position stays where it is: what a failure left unread is read at the next start.
 */
export function tellSessions(sessions: SessionKeeper, options: TellOptions): AppliedListener {
  let isLevel = false;
  catchUp(sessions, options).then(() => {
    isLevel = true;
  }, options.onTrouble);
  return ({ events, next }) => sessions.told(events, isLevel ? next : undefined);
}

async function catchUp(sessions: SessionKeeper, { log, ...positions }: TellOptions): Promise<void> {
  const from = await positions.savedPosition();
  if (from === undefined) await sessions.told([], await positions.storePosition());
  else for await (const batch of log.read(from)) await sessions.told(eventsOf(batch), batch.next);
  // Then what was never saved.
  await sessions.fill();
}
