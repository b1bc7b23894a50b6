const MIN_PREFIX = 4;
const MAX_SIMILAR = 5;

/** Ids that share the longest beginning with the given one, longest first. */
export function similarIds(wanted: string, known: Iterable<string>): string[] {
  const sought = wanted.toLowerCase();
  return [...known]
    .map((id) => ({ id, shared: sharedStart(sought, id.toLowerCase()) }))
    .filter(({ shared }) => shared >= MIN_PREFIX)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_SIMILAR)
    .map(({ id }) => id);
}

function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at++;
  return at;
}
