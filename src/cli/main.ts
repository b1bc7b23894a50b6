import { type CommandDef, runCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { plainLines } from "../shown/plain-text.ts";
import { listSpool } from "../spool/read-spool.ts";
import { storeErrorKind } from "../store/store-error.ts";
import { VERSION } from "../version.ts";
import { COMMANDS } from "./commands.ts";
import { printHelp, rootCommand, unknownCommand } from "./help.ts";
import { note, print } from "./output.ts";
import { checkArgs, unexpectedArgument } from "./read-args.ts";

/** Parses its own arguments: the rest of the line is an answer, whatever it looks like. */
const PARSES_OWN_ARGS = new Set(["answer"]);

/** Commands that must not start with other work. */
const NO_DRAIN_COMMANDS = new Set([
  "completions",
  "daemon",
  "doctor",
  "down",
  "help",
  "install",
  "mcp",
  "uninstall",
  "up",
]);

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
    await printHelp(rootCommand, COMMANDS);
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) throw unknownCommand(name, COMMANDS);
  const command = await load();
  if (PARSES_OWN_ARGS.has(name)) {
    if (args[0] === "--help" || args[0] === "-h") await printHelp(command, COMMANDS);
    else await runAfterDrain(name, command, args);
    return 0;
  }
  const { argv, wantsHelp } = await checkArgs(command, args);
  if (wantsHelp) await printHelp(command, COMMANDS);
  else await runAfterDrain(name, command, argv);
  return 0;
}

async function runAfterDrain(name: string, command: CommandDef<never>, argv: string[]): Promise<void> {
  if (!NO_DRAIN_COMMANDS.has(name) && !argv.some((arg) => STATUS_BAR_FLAGS.has(arg))) await drainIfOld();
  await runCommand(command as CommandDef, { rawArgs: argv });
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
