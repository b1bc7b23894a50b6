const DEFAULT_WIDTH_CELLS = 120;

/** The terminal's width; COLUMNS for a pipe. */
export function terminalWidth(
  stream: { readonly columns?: number } = process.stdout,
  env: Readonly<Record<string, string | undefined>> = process.env,
): number {
  return stream.columns || Number(env["COLUMNS"]) || DEFAULT_WIDTH_CELLS;
}
