import type { HooklineEvent, NewEvent } from "../event/event.ts";
import type { Acceptor } from "./accept.ts";

/**
 * Records single events: accepts them like all others and returns those that may be stored. Resolves when
 * they are durable in the log or, on request, when the store and all its followers have them.
 */
export type RecordEvents = (
  events: readonly NewEvent[],
  how: { readonly until: "log" | "store" },
) => Promise<readonly HooklineEvent[]>;

export interface RecorderOptions {
  readonly acceptor: Acceptor;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** Applies the log to the store. */
  readonly follow: () => Promise<void>;
  /** Following failed while no caller waited for it. What is in the log is not lost. */
  readonly onError: (error: unknown) => void;
}

export function createRecorder({ acceptor, append, follow, onError }: RecorderOptions): RecordEvents {
  return async (events, { until }) => {
    let accepted: readonly HooklineEvent[] = [];
    await acceptor.prepare(events, () => {
      accepted = acceptor.accept(events);
      acceptor.clearCache();
      return append(accepted);
    });
    const followed = follow();
    if (until === "store") await followed;
    else followed.catch(onError);
    return accepted;
  };
}
