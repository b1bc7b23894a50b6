import { type ArgDef, type ArgsDef, type CommandDef, defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { resolveHome } from "../home.ts";
import { SessionsPage } from "../serve/contract.ts";
import { oneLine } from "../shown/plain-text.ts";
import type { CommandTable } from "./command-table.ts";
import { type CompletedCommand, completionScript, SHELLS, type Shell } from "./completion-script.ts";
import { print } from "./output.ts";
import { projectLabel, shortId } from "./session-activity.ts";

/** Takes the table it is part of, so that the two files don't import each other. */
export function createCompletionsCommand(commands: CommandTable): CommandDef<never> {
  return defineCommand({
    meta: { name: "completions", description: "Print a completion script for your shell" },
    args: {
      shell: {
        type: "positional",
        required: true,
        description: `${SHELLS.join(", ")}, or sessions (ids only)`,
      },
    },
    run: async ({ args: { shell } }) => {
      if (shell === "sessions") return print(await sessionCandidates());
      if (!isShell(shell))
        throw new AppError("usage", `unknown shell "${shell}"; use ${SHELLS.join(", ")} or sessions.`);
      print(completionScript(shell, await completedCommands(commands)));
    },
  }) as CommandDef<never>;
}

function isShell(word: string): word is Shell {
  return (SHELLS as readonly string[]).includes(word);
}

/** One `id<TAB>project` per line, for the scripts. Empty without a daemon: completing must never fail. */
async function sessionCandidates(): Promise<string> {
  const path = "/api/sessions?limit=50";
  const page = await askDaemon(resolveHome(), SessionsPage, path, { timeoutMs: 500 }).catch(() => null);
  return (page?.sessions ?? [])
    .map((session) => `${shortId(session.sessionId)}\t${oneLine(projectLabel(session))}`)
    .join("\n");
}

async function completedCommands(commands: CommandTable): Promise<CompletedCommand[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, load]) => {
      const command = await load();
      const { description = "" } = ((await resolveValue(command.meta as never)) ?? {}) as {
        description?: string;
      };
      const args = ((await resolveValue(command.args as never)) ?? {}) as ArgsDef;
      return { name, description, flags: Object.entries(args).flatMap(flagsOf) };
    }),
  );
}

function flagsOf([name, def]: [string, ArgDef]): CompletedCommand["flags"] {
  if (def.type === "positional") return [];
  const flag = { name, description: def.description ?? "", takesValue: def.type === "string" };
  const negative = "negativeDescription" in def ? def.negativeDescription : undefined;
  return negative === undefined
    ? [flag]
    : [flag, { name: `no-${name}`, description: negative, takesValue: false }];
}

async function resolveValue<T>(value: T | (() => T | Promise<T>)): Promise<T> {
  return typeof value === "function" ? await (value as () => T | Promise<T>)() : value;
}
