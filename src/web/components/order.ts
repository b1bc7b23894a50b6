/** How many rows would be added, removed or moved to get from the shown to the wanted order. */
export function countOrderChanges(shown: readonly string[], wanted: readonly string[]): number {
  const place = new Map(wanted.map((id, index) => [id, index]));
  const kept = shown.flatMap((id) => place.get(id) ?? []);
  const gone = shown.length - kept.length;
  const come = wanted.length - kept.length;
  return gone + come + kept.length - longestRise(kept);
}

/** The order, with each removed key replaced by its successor. */
export function replaceInOrder(
  order: readonly string[],
  wanted: readonly string[],
  heirOf: (gone: string, come: readonly string[]) => string | undefined,
): readonly string[] {
  const known = new Set(order);
  const listed = new Set(wanted);
  let come = wanted.filter((key) => !known.has(key));
  return order.map((key) => {
    const heir = listed.has(key) ? undefined : heirOf(key, come);
    come = come.filter((one) => one !== heir);
    return heir ?? key;
  });
}

/** The largest number of rows that can stay while the others move. */
function longestRise(places: readonly number[]): number {
  const ends: number[] = [];
  for (const place of places) {
    let from = 0;
    let to = ends.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (ends[middle]! < place) from = middle + 1;
      else to = middle;
    }
    ends[from] = place;
  }
  return ends.length;
}
