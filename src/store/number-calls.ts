/** One tool call of a turn, merged from all its facts. */
export interface NumberedCall {
  readonly toolUseId: string;
  readonly startedAt: string;
  readonly batchKey: string | null;
  readonly batchIndex: number | null;
}

/**
 * Numbers each call within its turn, from 1: messages in the order in which their first call started, calls
 * of one message in the order in which the message lists them. Independent of input order.
 */
export function numberCalls(calls: readonly NumberedCall[]): Map<string, number> {
  const startsByKey = new Map<string, string>();
  for (const call of calls) {
    const key = call.batchKey ?? call.toolUseId;
    const start = startsByKey.get(key);
    if (start === undefined || call.startedAt < start) startsByKey.set(key, call.startedAt);
  }
  const sorted = [...calls].sort((a, b) => {
    const [keyA, keyB] = [a.batchKey ?? a.toolUseId, b.batchKey ?? b.toolUseId];
    return (
      compare(startsByKey.get(keyA)!, startsByKey.get(keyB)!) ||
      compare(keyA, keyB) ||
      (a.batchIndex ?? 0) - (b.batchIndex ?? 0) ||
      compare(a.toolUseId, b.toolUseId)
    );
  });
  return new Map(sorted.map((call, index) => [call.toolUseId, index + 1]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
