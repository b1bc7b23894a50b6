/** The newest encoded patches, numbered from 1 without gaps, bounded in count and in bytes. */
export interface PatchRing {
  /** The number of the newest patch, 0 before the first. */
  last(): number;
  push(patch: Uint8Array): void;
  get(seq: number): Uint8Array | undefined;
  /** Whether every patch after `seq` is still available. */
  reachesBackTo(seq: number): boolean;
}

export function createPatchRing(maxCount: number, maxBytes: number): PatchRing {
  const slots: (Uint8Array | undefined)[] = [];
  let first = 1;
  let last = 0;
  let bytes = 0;

  const forgetOldest = (): void => {
    bytes -= slots[first % maxCount]!.byteLength;
    slots[first % maxCount] = undefined;
    first += 1;
  };

  return {
    last: () => last,
    push(patch) {
      if (last - first + 1 === maxCount) forgetOldest();
      last += 1;
      slots[last % maxCount] = patch;
      bytes += patch.byteLength;
      // The newest stays, whatever its size.
      while (bytes > maxBytes && first < last) forgetOldest();
    },
    get: (seq) => (seq >= first && seq <= last ? slots[seq % maxCount] : undefined),
    reachesBackTo: (seq) => seq >= first - 1 && seq <= last,
  };
}
