/** The known word that was most likely meant, or null when none is close. */
export function closestWord(word: string, known: readonly string[]): string | null {
  const wanted = bare(word);
  if (wanted === "") return null;
  const ranked = known
    .map((name) => ({ name, distance: distanceTo(wanted, bare(name)) }))
    .filter(({ name, distance }) => distance <= allowed(wanted, bare(name)))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.name ?? null;
}

/** Dashes, underscores and case are what people get wrong most. */
function bare(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, "");
}

/** One mistake in a short word, two in a longer one. */
function allowed(a: string, b: string): number {
  return Math.max(a.length, b.length) < 5 ? 1 : 2;
}

/** Levenshtein, where two swapped neighbours count once and a word cut short counts as one mistake. */
function distanceTo(a: string, b: string): number {
  if (a.length >= 2 && b.startsWith(a)) return a === b ? 0 : 1;
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** The project that was most likely meant, written as far as the name was: its last folder, or more of its path. */
export function closestProject(name: string, projects: readonly string[]): string | null {
  const parts = name.startsWith("/") ? 0 : name.split("/").filter(Boolean).length;
  return closestWord(
    name,
    projects.map((path) => (parts === 0 ? path : path.split("/").slice(-parts).join("/"))),
  );
}
