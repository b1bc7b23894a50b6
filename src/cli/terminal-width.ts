const PIPED = 120;

/** Of the terminal; for a pipe what COLUMNS says. */
export function terminalWidth(
  stream: { readonly columns?: number } = process.stdout,
  env: Readonly<Record<string, string | undefined>> = process.env,
): number {
  return stream.columns || Number(env["COLUMNS"]) || PIPED;
}
