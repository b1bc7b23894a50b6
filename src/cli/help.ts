import { type CommandDef, defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { closestWord } from "../shown/did-you-mean.ts";
import type { CommandTable } from "./command-table.ts";
import { print } from "./output.ts";
import { paintFor } from "./paint.ts";
import { terminalWidth } from "./terminal-width.ts";

export const rootCommand = defineCommand({
  meta: { name: "hookline", description: "Record, watch and steer Claude Code sessions" },
  args: { version: { type: "boolean", alias: "v", description: "Print the version" } },
}) as CommandDef<never>;

/** Takes the table it is part of, so that the two files don't import each other. */
export function createHelpCommand(commands: CommandTable): CommandDef<never> {
  return defineCommand({
    meta: { name: "help", description: "Show help for a command" },
    args: {
      command: { type: "positional", required: false, description: "Command name; omit to list all" },
    },
    run: async ({ args }) => {
      const name = args.command;
      if (name === undefined) return printHelp(rootCommand, commands);
      const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (load === undefined) throw unknownCommand(name, commands);
      await printHelp(await load(), commands);
    },
  }) as CommandDef<never>;
}

export async function printHelp(command: CommandDef<never>, commands: CommandTable): Promise<void> {
  const { commandHelp, rootHelp } = await import("./help-text.ts");
  const options = { width: terminalWidth(), paint: paintFor(process.stdout) };
  if (command !== rootCommand) return print(await commandHelp(command, options));
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => [name, await load()] as const),
  );
  print(await rootHelp(rootCommand, new Map(loaded), options));
}

export function unknownCommand(name: string, commands: CommandTable): AppError {
  const suggestion = closestWord(name, Object.keys(commands));
  const hint = suggestion === null ? "see `hookline --help`." : `did you mean \`hookline ${suggestion}\`?`;
  return new AppError("usage", `unknown command "${name}"; ${hint}`);
}
