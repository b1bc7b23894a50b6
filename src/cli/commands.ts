import type { CommandDef } from "citty";

type LoadCommand = () => Promise<CommandDef<never>>;

/** Every command, in the order of `--help`. Loaded on demand: starting one must not pay for all. */
// biome-ignore format: a table
export const COMMANDS: Readonly<Record<string, LoadCommand>> = {
  install: async () => (await import("./install.ts")).installCommand as CommandDef<never>,
  uninstall: async () => (await import("./uninstall.ts")).uninstallCommand as CommandDef<never>,
  up: async () => (await import("./up.ts")).upCommand as CommandDef<never>,
  down: async () => (await import("./down.ts")).downCommand as CommandDef<never>,
  open: async () => (await import("./open.ts")).openCommand as CommandDef<never>,
  status: async () => (await import("./status.ts")).statusCommand as CommandDef<never>,
  doctor: async () => (await import("./doctor.ts")).doctorCommand as CommandDef<never>,
  sessions: async () => (await import("./sessions.ts")).sessionsCommand as CommandDef<never>,
  session: async () => (await import("./session.ts")).sessionCommand as CommandDef<never>,
  top: async () => (await import("./top.ts")).topCommand as CommandDef<never>,
  away: async () => (await import("./away.ts")).awayCommand as CommandDef<never>,
  notify: async () => (await import("./notify.ts")).notifyCommand as CommandDef<never>,
  usage: async () => (await import("./usage.ts")).usageCommand as CommandDef<never>,
  tail: async () => (await import("./tail.ts")).tailCommand as CommandDef<never>,
  search: async () => (await import("./search.ts")).searchCommand as CommandDef<never>,
  timeline: async () => (await import("./timeline.ts")).timelineCommand as CommandDef<never>,
  observations: async () => (await import("./observations.ts")).observationsCommand as CommandDef<never>,
  context: async () => (await import("./context.ts")).contextCommand as CommandDef<never>,
  pin: async () => (await import("./pin.ts")).pinCommand as CommandDef<never>,
  edit: async () => (await import("./edit.ts")).editCommand as CommandDef<never>,
  forget: async () => (await import("./forget.ts")).forgetCommand as CommandDef<never>,
  mcp: async () => (await import("./mcp.ts")).mcpCommand as CommandDef<never>,
  run: async () => (await import("./run.ts")).runCommand as CommandDef<never>,
  attach: async () => (await import("./attach.ts")).attachCommand as CommandDef<never>,
  answer: async () => (await import("./answer.ts")).answerCommand as CommandDef<never>,
  policy: async () => (await import("./policy.ts")).policyCommand as CommandDef<never>,
  recipes: async () => (await import("./recipes.ts")).recipesCommand as CommandDef<never>,
  trust: async () => (await import("./trust.ts")).trustCommand as CommandDef<never>,
  config: async () => (await import("./config.ts")).configCommand as CommandDef<never>,
  pause: async () => (await import("./pause.ts")).pauseCommand as CommandDef<never>,
  import: async () => (await import("./import.ts")).importCommand as CommandDef<never>,
  export: async () => (await import("./export.ts")).exportCommand as CommandDef<never>,
  rebuild: async () => (await import("./rebuild.ts")).rebuildCommand as CommandDef<never>,
  daemon: async () => (await import("./daemon.ts")).daemonCommand as CommandDef<never>,
  completions: async () => (await import("./completions.ts")).completionsCommand as CommandDef<never>,
  help: async () => (await import("./help.ts")).helpCommand as CommandDef<never>,
};

export const COMMAND_GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Get started", ["install", "uninstall", "up", "down", "open", "status", "doctor"]],
  ["Watch", ["sessions", "session", "top", "away", "notify", "usage", "tail"]],
  ["Memory", ["search", "timeline", "observations", "context", "pin", "edit", "forget", "mcp"]],
  ["Steer", ["run", "attach", "answer", "policy", "recipes", "trust"]],
  ["Maintain", ["config", "pause", "import", "export", "rebuild", "daemon", "completions", "help"]],
];
