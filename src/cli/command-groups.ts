/** The sections of `hookline --help`, in the order of the command table. */
export const COMMAND_GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Get started", ["install", "uninstall", "up", "down", "open", "status", "doctor"]],
  ["Watch", ["sessions", "session", "top", "away", "notify", "usage", "tail"]],
  ["Memory", ["search", "timeline", "observations", "context", "pin", "edit", "forget", "mcp"]],
  ["Steer", ["run", "attach", "answer", "policy", "recipes", "trust"]],
  ["Maintain", ["config", "pause", "import", "export", "rebuild", "daemon", "completions", "help"]],
];
