import type { Log, LogBatch, Position } from "../log/log.ts";
import type { ApplyResult, Facts } from "./facts.ts";

export interface CatchUpOptions {
  readonly onApplied?: ((result: ApplyResult, batch: LogBatch) => void | Promise<void>) | undefined;
  /** Where to resume reading when the saved position is no longer valid. */
  readonly from?: Position | undefined;
  /** Set for the live store, not for a replacement being built. */
  readonly live?: boolean;
}

/** Applies everything in the log that the store lacks. Resolves when caught up. */
export async function catchUp(
  log: Pick<Log, "read">,
  facts: Facts,
  { onApplied, from, live = false }: CatchUpOptions = {},
): Promise<void> {
  for await (const batch of log.read(from ?? (await facts.position()), { live })) {
    const result = await facts.apply(batch);
    await onApplied?.(result, batch);
  }
}
