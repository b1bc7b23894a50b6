/** The known word closest to a misspelled one, or null when none is close. */
export function closestWord(word: string, known: readonly string[]): string | null {
  const normalized = normalize(word);
  if (normalized === "") return null;
  const ranked = known
    .map((name) => ({ name, distance: editDistance(normalized, normalize(name)) }))
    .filter(({ name, distance }) => distance <= maxDistance(normalized, normalize(name)))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.name ?? null;
}

/** Dashes, underscores and case are the most common mistakes. */
function normalize(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, "");
}

/** Allows one mistake in a short word, two in a longer one. */
function maxDistance(a: string, b: string): number {
  return Math.max(a.length, b.length) < 5 ? 1 : 2;
}

/** Levenshtein, except that a swap of neighbours or a truncated word counts as one mistake. */
function editDistance(a: string, b: string): number {
  if (a.length >= 2 && b.startsWith(a)) return a === b ? 0 : 1;
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitutionCost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + substitutionCost);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** The closest project, spelled to the same depth as the name: its last folder, or more of its path. */
export function closestProject(name: string, projects: readonly string[]): string | null {
  const parts = name.startsWith("/") ? 0 : name.split("/").filter(Boolean).length;
  return closestWord(
    name,
    projects.map((path) => (parts === 0 ? path : path.split("/").slice(-parts).join("/"))),
  );
}
