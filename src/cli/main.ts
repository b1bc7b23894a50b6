import { type CommandDef, defineCommand, runCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { closestWord } from "../shown/did-you-mean.ts";
import { plainLines } from "../shown/plain-text.ts";
import { listSpool } from "../spool/read-spool.ts";
import { storeErrorKind } from "../store/store-error.ts";
import { VERSION } from "../version.ts";
import { note, print } from "./output.ts";
import { paintFor } from "./paint.ts";
import { checkArgs, unexpectedArgument } from "./read-args.ts";
import { terminalWidth } from "./terminal-width.ts";

/** Commands are loaded on demand, so that starting one does not pay for all. */
// biome-ignore format: a table
const COMMANDS: Readonly<Record<string, () => Promise<CommandDef<never>>>> = {
  install: async () => (await import("./install.ts")).installCommand as CommandDef<never>,
  uninstall: async () => (await import("./uninstall.ts")).uninstallCommand as CommandDef<never>,
  up: async () => (await import("./up.ts")).upCommand as CommandDef<never>,
  down: async () => (await import("./down.ts")).downCommand as CommandDef<never>,
  daemon: async () => (await import("./daemon.ts")).daemonCommand as CommandDef<never>,
  open: async () => (await import("./open.ts")).openCommand as CommandDef<never>,
  status: async () => (await import("./status.ts")).statusCommand as CommandDef<never>,
  sessions: async () => (await import("./sessions.ts")).sessionsCommand as CommandDef<never>,
  session: async () => (await import("./session.ts")).sessionCommand as CommandDef<never>,
  top: async () => (await import("./top.ts")).topCommand as CommandDef<never>,
  away: async () => (await import("./away.ts")).awayCommand as CommandDef<never>,
  notify: async () => (await import("./notify.ts")).notifyCommand as CommandDef<never>,
  search: async () => (await import("./search.ts")).searchCommand as CommandDef<never>,
  timeline: async () => (await import("./timeline.ts")).timelineCommand as CommandDef<never>,
  observations: async () => (await import("./observations.ts")).observationsCommand as CommandDef<never>,
  context: async () => (await import("./context.ts")).contextCommand as CommandDef<never>,
  pin: async () => (await import("./pin.ts")).pinCommand as CommandDef<never>,
  edit: async () => (await import("./edit.ts")).editCommand as CommandDef<never>,
  forget: async () => (await import("./forget.ts")).forgetCommand as CommandDef<never>,
  export: async () => (await import("./export.ts")).exportCommand as CommandDef<never>,
  mcp: async () => (await import("./mcp.ts")).mcpCommand as CommandDef<never>,
  run: async () => (await import("./run.ts")).runCommand as CommandDef<never>,
  attach: async () => (await import("./attach.ts")).attachCommand as CommandDef<never>,
  answer: async () => (await import("./answer.ts")).answerCommand as CommandDef<never>,
  policy: async () => (await import("./policy.ts")).policyCommand as CommandDef<never>,
  recipes: async () => (await import("./recipes.ts")).recipesCommand as CommandDef<never>,
  trust: async () => (await import("./trust.ts")).trustCommand as CommandDef<never>,
  tail: async () => (await import("./tail.ts")).tailCommand as CommandDef<never>,
  import: async () => (await import("./import.ts")).importCommand as CommandDef<never>,
  rebuild: async () => (await import("./rebuild.ts")).rebuildCommand as CommandDef<never>,
  pause: async () => (await import("./pause.ts")).pauseCommand as CommandDef<never>,
  config: async () => (await import("./config.ts")).configCommand as CommandDef<never>,
  doctor: async () => (await import("./doctor.ts")).doctorCommand as CommandDef<never>,
};

const main = defineCommand({
  meta: { name: "hookline", description: "Record, watch and steer Claude Code sessions" },
  args: { version: { type: "boolean", alias: "v", description: "Print the version" } },
}) as CommandDef<never>;

/** Parses its own arguments: the rest of the line is an answer, whatever it looks like. */
const PARSES_OWN_ARGS = new Set(["answer"]);

/** Commands that must not start with other work. */
const NO_DRAIN_COMMANDS = new Set(["daemon", "up", "down", "install", "uninstall", "doctor", "mcp"]);

/** Status bars are redrawn constantly, so they skip the drain too. */
const STATUS_BAR_FLAGS = new Set(["--line", "--statusline"]);

/** The exit code: 0 done, 1 failed, 2 misused. */
export async function runCli(args: string[]): Promise<number> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    // `hookline tail | head`: a reader that stops early is not an error.
    process.exit(0);
  });
  return run(args).catch(async (error) => reportFailure(await toReadableError(error)));
}

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--version" || name === "-v") {
    if (args.length > 0) throw unexpectedArgument("", args[0]!);
    print(VERSION);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h") {
    await printUsage(main);
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) throw unknownCommand(name);
  const command = await load();
  if (PARSES_OWN_ARGS.has(name)) {
    if (args[0] === "--help" || args[0] === "-h") await printUsage(command);
    else await runAfterDrain(name, command, args);
    return 0;
  }
  const { argv, wantsHelp } = await checkArgs(command, args);
  if (wantsHelp) await printUsage(command);
  else await runAfterDrain(name, command, argv);
  return 0;
}

async function runAfterDrain(name: string, command: CommandDef<never>, argv: string[]): Promise<void> {
  if (!NO_DRAIN_COMMANDS.has(name) && !argv.some((arg) => STATUS_BAR_FLAGS.has(arg))) await drainIfOld();
  await runCommand(command as CommandDef, { rawArgs: argv });
}

function unknownCommand(name: string): AppError {
  const meant = closestWord(name, Object.keys(COMMANDS));
  const how = meant === null ? "see `hookline --help`." : `did you mean \`hookline ${meant}\`?`;
  return new AppError("usage", `unknown command "${name}"; ${how}`);
}

/** Lazy: only needed for help. */
async function printUsage(command: CommandDef<never>): Promise<void> {
  const { usageText } = await import("./usage-text.ts");
  const all = command === main ? Object.entries(COMMANDS) : [];
  const commands = await Promise.all(all.map(async ([name, load]) => [name, await load()] as const));
  print(await usageText(command, commands, { width: terminalWidth(), paint: paintFor(process.stdout) }));
}

async function drainIfOld(): Promise<void> {
  const home = resolveHome();
  if (listSpool(home.spool).length > 0) await (await import("./drain-old-spool.ts")).drainOldSpool(home);
}

/** System and database errors are reported without a stack: a full or read-only disk, no permission. */
async function toReadableError(error: unknown): Promise<unknown> {
  // The daemon's lock is a separate SQLite file.
  const { errno, errcode } = error as { errno?: unknown; errcode?: unknown };
  const isKnown = [errno, errcode].some((code) => typeof code === "number");
  const { toHomeError, probeHomeWrite } = await import("../daemon/home-errors.ts");
  if (error instanceof AppError)
    return (POSSIBLE_DISK_ERRORS.has(error.code) ? probeHomeWrite(resolveHome()) : null) ?? error;
  if (!isKnown && storeErrorKind(error) === undefined) return error;
  const readable = toHomeError(resolveHome(), error);
  return readable instanceof AppError
    ? readable
    : new AppError("system", (error as Error).message, { cause: error });
}

/** Daemon errors that a full or read-only disk may have caused. */
const POSSIBLE_DISK_ERRORS: ReadonlySet<string> = new Set([
  "internal",
  "search_failed",
  "daemon_failed",
  "daemon_gone",
]);

function reportFailure(error: unknown): number {
  const isMisuse =
    (error instanceof AppError && error.code === "usage") || (error as Error).name === "CLIError";
  const message =
    error instanceof AppError || isMisuse
      ? (error as Error).message
      : String((error as Error).stack ?? error);
  // A message may quote agent text.
  note(plainLines(`hookline: ${message}`).join("\n"));
  return isMisuse ? 2 : 1;
}
