const MIN_WORD_CHARS = 2;

/** The ranges of a query's words in a text (UTF-16), in order and without overlaps. */
export function findMarks(text: string, query: string): (readonly [number, number])[] {
  const lower = text.toLowerCase();
  // Lowercasing can change the length in a few languages; mark nothing rather than the wrong part.
  if (lower.length !== text.length) return [];
  const words = query
    .toLowerCase()
    .split(/[\s"']+/)
    .filter((word) => word.length >= MIN_WORD_CHARS);
  const found: [number, number][] = [];
  for (const word of words)
    for (let index = lower.indexOf(word); index !== -1; index = lower.indexOf(word, index + word.length))
      found.push([index, index + word.length]);
  const marks: [number, number][] = [];
  for (const [from, to] of found.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = marks.at(-1);
    if (last === undefined || from >= last[1]) marks.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return marks;
}
