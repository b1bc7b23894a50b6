const MIN_PREFIX_CHARS = 4;
const MAX_SIMILAR = 5;

/** The ids with the longest common prefix, longest first. */
export function similarIds(id: string, candidates: Iterable<string>): string[] {
  const target = id.toLowerCase();
  return [...candidates]
    .map((id) => ({ id, shared: sharedPrefixLength(target, id.toLowerCase()) }))
    .filter(({ shared }) => shared >= MIN_PREFIX_CHARS)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_SIMILAR)
    .map(({ id }) => id);
}

function sharedPrefixLength(a: string, b: string): number {
  const max = Math.min(a.length, b.length);
  let length = 0;
  while (length < max && a[length] === b[length]) length++;
  return length;
}
