import type { HooklineEvent, NewEvent } from "../event/event.ts";
import type { Acceptor } from "./accept.ts";

/**
 * Records events that come one by one: accepts them as all events are, and gives back those that may be kept. Resolves
 * when they are safe in the log, or when the store and everybody who follows it have them, too.
 */
export type RecordEvents = (
  events: readonly NewEvent[],
  how: { readonly until: "log" | "store" },
) => Promise<readonly HooklineEvent[]>;

export interface RecordOptions {
  readonly acceptor: Acceptor;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** Brings the store level with the log. */
  readonly follow: () => Promise<void>;
  /** Following failed, and nobody waited for it. What the log has is not lost. */
  readonly onTrouble: (error: unknown) => void;
}

export function createRecord({ acceptor, append, follow, onTrouble }: RecordOptions): RecordEvents {
  return async (events, { until }) => {
    let accepted: readonly HooklineEvent[] = [];
    await acceptor.prepare(events, () => {
      accepted = acceptor.accept(events);
      acceptor.rest();
      return append(accepted);
    });
    const followed = follow();
    if (until === "store") await followed;
    else followed.catch(onTrouble);
    return accepted;
  };
}
