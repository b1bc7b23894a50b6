import { type CommandDef, defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { closestWord } from "../shown/did-you-mean.ts";
import { COMMANDS } from "./commands.ts";
import { print } from "./output.ts";
import { paintFor } from "./paint.ts";
import { terminalWidth } from "./terminal-width.ts";

export const rootCommand = defineCommand({
  meta: { name: "hookline", description: "Record, watch and steer Claude Code sessions" },
  args: { version: { type: "boolean", alias: "v", description: "Print the version" } },
}) as CommandDef<never>;

export const helpCommand = defineCommand({
  meta: { name: "help", description: "Show help for a command" },
  args: {
    command: { type: "positional", required: false, description: "Command name; omit to list all" },
  },
  run: async ({ args }) => {
    const name = args.command;
    if (name === undefined) return printHelp(rootCommand);
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load === undefined) throw unknownCommand(name);
    await printHelp(await load());
  },
});

export async function printHelp(command: CommandDef<never>): Promise<void> {
  const { commandHelp, rootHelp } = await import("./help-text.ts");
  const options = { width: terminalWidth(), paint: paintFor(process.stdout) };
  if (command !== rootCommand) return print(await commandHelp(command, options));
  const loaded = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const),
  );
  print(await rootHelp(rootCommand, new Map(loaded), options));
}

export function unknownCommand(name: string): AppError {
  const meant = closestWord(name, Object.keys(COMMANDS));
  const hint = meant === null ? "see `hookline --help`." : `did you mean \`hookline ${meant}\`?`;
  return new AppError("usage", `unknown command "${name}"; ${hint}`);
}
