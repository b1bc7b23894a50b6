const MAX_SUBJECT = 300;
const MAX_ROUNDS = 4;

/**
 * The one line that is recorded of what a call is about. The whole is masked before it is cut: no half of a secret is
 * left over. Cutting what is cut changes nothing, whatever the mask makes of a text that ends early; undefined where
 * that does not come to rest.
 */
export function cutSubject(text: string, mask: (text: string) => string): string | undefined {
  let line = firstLine(mask(text));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const again = firstLine(mask(line));
    if (again === line) return line === "" ? undefined : line;
    line = again;
  }
  return undefined;
}

function firstLine(text: string): string {
  const line = (text.trim().split("\n", 1)[0] ?? "").trimEnd();
  return line.length > MAX_SUBJECT
    ? `${line
        .slice(0, MAX_SUBJECT - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line;
}
