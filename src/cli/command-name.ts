/** The running command as shown to processes that wait for it: `hookline rebuild`. */
export function commandName(argv: readonly string[] = process.argv): string {
  return argv[2] ?? "";
}
