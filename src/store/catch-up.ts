import type { Log, LogBatch, Position } from "../log/log.ts";
import type { ApplyResult, Facts } from "./facts.ts";

export interface FollowOptions {
  readonly onApplied?: ((result: ApplyResult, batch: LogBatch) => void | Promise<void>) | undefined;
  /** Where to read again, when the saved position no longer holds. */
  readonly from?: Position | undefined;
  /** For the store that is asked, not for one that is built beside it. */
  readonly live?: boolean;
}

/** Applies everything the log has and the store has not. Ends when it has caught up. */
export async function catchUp(
  log: Pick<Log, "read">,
  facts: Facts,
  { onApplied, from, live = false }: FollowOptions = {},
): Promise<void> {
  for await (const batch of log.read(from ?? (await facts.position()), { live })) {
    const result = await facts.apply(batch);
    await onApplied?.(result, batch);
  }
}
