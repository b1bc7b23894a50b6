/** The command that runs, as it is told to whoever waits for its end: `hookline rebuild`. */
export function commandName(argv: readonly string[] = process.argv): string {
  return argv[2] ?? "";
}
