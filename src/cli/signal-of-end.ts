/** Aborted by Ctrl-C or a TERM: commands that go on until then end well. */
export function signalOfEnd(): AbortController {
  const end = new AbortController();
  process.once("SIGINT", () => end.abort());
  process.once("SIGTERM", () => end.abort());
  process.once("SIGHUP", () => end.abort());
  return end;
}
