const MAX_SUBJECT_CHARS = 300;
const MAX_ROUNDS = 4;

/**
 * The one line recorded about a call's subject. Masked before it is cut, so that no half of a secret is left
 * over. Idempotent even if the mask treats truncated text differently; undefined if that does not converge.
 */
export function truncateSubject(text: string, mask: (text: string) => string): string | undefined {
  const masked = mask(text);
  let line = firstLine(masked);
  // The common case: nothing to mask, nothing to cut.
  if (masked === text && line === text) return line === "" ? undefined : line;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const again = firstLine(mask(line));
    if (again === line) return line === "" ? undefined : line;
    line = again;
  }
  return undefined;
}

function firstLine(text: string): string {
  const trimmed = text.trim();
  const end = trimmed.indexOf("\n");
  const line = end === -1 ? trimmed : trimmed.slice(0, end).trimEnd();
  if (line.length <= MAX_SUBJECT_CHARS) return line;
  const head = line.slice(0, MAX_SUBJECT_CHARS - 1).toWellFormed();
  return `${head.trimEnd()}…`;
}
