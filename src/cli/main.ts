import { type CommandDef, defineCommand, runCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { closestWord } from "../shown/did-you-mean.ts";
import { plainLines } from "../shown/plain-text.ts";
import { listSpool } from "../spool/read-spool.ts";
import { storeTrouble } from "../store/store-error.ts";
import { VERSION } from "../version.ts";
import { note, print } from "./output.ts";
import { paintFor } from "./paint.ts";
import { checkArgs, unexpectedArgument } from "./read-args.ts";
import { terminalWidth } from "./terminal-width.ts";

/** Each command is loaded when it is called: the start of one must not pay for all. */
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

/** Reads its own words: the rest of the line is an answer, whatever it looks like. */
const READS_OWN_ARGS = new Set(["answer"]);

/** Commands that must not begin with other work. */
const AT_ONCE = new Set(["daemon", "up", "down", "install", "uninstall", "doctor", "mcp"]);

/** What is drawn in a person's terminal all the time has no time for it either. */
const IN_A_BAR = new Set(["--line", "--statusline"]);

/** The exit code: 0 done, 1 failed, 2 misused. */
export async function runCli(args: string[]): Promise<number> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    // `hookline tail | head`: the reader has enough, which is no failure.
    process.exit(0);
  });
  return run(args).catch(async (error) => failure(await inASentence(error)));
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
  if (READS_OWN_ARGS.has(name)) {
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
  if (!AT_ONCE.has(name) && !argv.some((arg) => IN_A_BAR.has(arg))) await drainIfOld();
  await runCommand(command as CommandDef, { rawArgs: argv });
}

function unknownCommand(name: string): AppError {
  const meant = closestWord(name, Object.keys(COMMANDS));
  const how = meant === null ? "`hookline --help` lists them." : `did you mean \`hookline ${meant}\`?`;
  return new AppError("usage", `there is no command "${name}"; ${how}`);
}

/** Lazy: only who asks for help pays for it. */
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

/** What the system or the database refused is told without a stack: a full or read-only disk, a missing right. */
async function inASentence(error: unknown): Promise<unknown> {
  // The daemon's lock is a SQLite file of its own.
  const { errno, errcode } = error as { errno?: unknown; errcode?: unknown };
  const isKnown = [errno, errcode].some((code) => typeof code === "number");
  const { homeTrouble, tryToWrite } = await import("../daemon/home-trouble.ts");
  if (error instanceof AppError)
    return (MAY_BE_THE_DISK.has(error.code) ? tryToWrite(resolveHome()) : null) ?? error;
  if (!isKnown && storeTrouble(error) === undefined) return error;
  const told = homeTrouble(resolveHome(), error);
  return told instanceof AppError ? told : new AppError("system", (error as Error).message, { cause: error });
}

/** What the daemon failed at for a reason of its own: a full or read-only disk, if there is one. */
const MAY_BE_THE_DISK: ReadonlySet<string> = new Set([
  "internal",
  "search_failed",
  "daemon_failed",
  "daemon_gone",
]);

function failure(error: unknown): number {
  const isMisuse =
    (error instanceof AppError && error.code === "usage") || (error as Error).name === "CLIError";
  const message =
    error instanceof AppError || isMisuse
      ? (error as Error).message
      : String((error as Error).stack ?? error);
  // A message may quote what an agent wrote.
  note(plainLines(`hookline: ${message}`).join("\n"));
  return isMisuse ? 2 : 1;
}
