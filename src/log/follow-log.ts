import type { LogBatch, LogReader, Position } from "./log.ts";

/** Reads to the end, then waits for more, until the signal is aborted. */
export async function* followLog(
  log: Pick<LogReader, "read" | "watch">,
  after: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<LogBatch> {
  let position = after;
  let changed = Promise.withResolvers<void>();
  const wake = (): void => changed.resolve();
  const unwatch = log.watch(wake);
  signal.addEventListener("abort", wake, { once: true });
  try {
    while (!signal.aborted) {
      // Created before reading, so that a change in the meantime is not missed.
      changed = Promise.withResolvers<void>();
      for await (const batch of log.read(position)) {
        position = batch.next;
        yield batch;
        if (signal.aborted) return;
      }
      await changed.promise;
    }
  } finally {
    signal.removeEventListener("abort", wake);
    unwatch();
  }
}
