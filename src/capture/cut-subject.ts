const MAX_SUBJECT = 300;
const MAX_ROUNDS = 4;

/**
 * The one line that is recorded of what a call is about. The whole is masked before it is cut: no half of a secret is
 * left over. Cutting what is cut changes nothing, whatever the mask makes of a text that ends early; undefined where
 * that does not come to rest.
 */
export function cutSubject(text: string, mask: (text: string) => string): string | undefined {
  const masked = mask(text);
  let line = firstLine(masked);
  // Nearly always: nothing to mask, nothing to cut.
  if (masked === text && line === text) return line === "" ? undefined : line;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const again = firstLine(mask(line));
    if (again === line) return line === "" ? undefined : line;
    line = again;
  }
  return undefined;
}

function firstLine(text: string): string {
  const whole = text.trim();
  const end = whole.indexOf("\n");
  const line = end === -1 ? whole : whole.slice(0, end).trimEnd();
  if (line.length <= MAX_SUBJECT) return line;
  const head = line.slice(0, MAX_SUBJECT - 1).toWellFormed();
  return `${head.trimEnd()}…`;
}
