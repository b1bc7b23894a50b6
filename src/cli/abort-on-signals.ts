/** Aborts on Ctrl-C or SIGTERM, so that long-running commands end cleanly. */
export function abortOnSignals(): AbortController {
  const end = new AbortController();
  process.once("SIGINT", () => end.abort());
  process.once("SIGTERM", () => end.abort());
  process.once("SIGHUP", () => end.abort());
  return end;
}
