/** Counts the rows that must be added, removed or moved to reach the wanted order. */
export function countOrderChanges(shown: readonly string[], wanted: readonly string[]): number {
  const positions = new Map(wanted.map((id, index) => [id, index]));
  const remaining = shown.flatMap((id) => positions.get(id) ?? []);
  const removed = shown.length - remaining.length;
  const added = wanted.length - remaining.length;
  return removed + added + remaining.length - longestIncreasing(remaining);
}

/** The order, with each removed key replaced by its successor. */
export function replaceInOrder(
  order: readonly string[],
  wanted: readonly string[],
  successorOf: (removed: string, added: readonly string[]) => string | undefined,
): readonly string[] {
  const known = new Set(order);
  const listed = new Set(wanted);
  let added = wanted.filter((key) => !known.has(key));
  return order.map((key) => {
    const successor = listed.has(key) ? undefined : successorOf(key, added);
    added = added.filter((other) => other !== successor);
    return successor ?? key;
  });
}

/** The length of the longest increasing subsequence: the rows that need not move. */
function longestIncreasing(indices: readonly number[]): number {
  const tails: number[] = [];
  for (const index of indices) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (tails[mid]! < index) low = mid + 1;
      else high = mid;
    }
    tails[low] = index;
  }
  return tails.length;
}
