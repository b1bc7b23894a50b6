import { isInWorkspace, type Locations } from "../locations.ts";
import { isOwnVariable, isPublicVariable } from "../shell/plain-variables.ts";
import { isKnown, type ShellCommand } from "../shell/shell-reading.ts";
import { isAmbiguous } from "./ambiguous-words.ts";
import type { ProgramGrammar, ProgramSpec } from "./grammar.ts";
import { hasHarmlessRedirects } from "./harmless-redirects.ts";
import { hasHarmlessStarters } from "./harmless-starters.ts";
import { matchesSpec } from "./matches-spec.ts";
import { isSystemPath } from "./program-path.ts";
import { isListingTar, isListingUnzip } from "./programs/archives.ts";
import { isReadOnlyAwk } from "./programs/awk.ts";
import { FILE_TOOLS } from "./programs/file-tools.ts";
import { isReadOnlyFind } from "./programs/find.ts";
import { isReadOnlyGit } from "./programs/git.ts";
import { isReadOnlyJq } from "./programs/jq.ts";
import { SEARCH_TOOLS } from "./programs/search-tools.ts";
import { isReadOnlySed } from "./programs/sed.ts";
import { SHELL_BUILTINS } from "./programs/shell-builtins.ts";
import { SYSTEM_INFO } from "./programs/system-info.ts";
import { TEXT_TOOLS } from "./programs/text-tools.ts";
import { TOOL_SUBCOMMANDS, VERSIONS } from "./programs/version-commands.ts";
import { isReadOnlyYq } from "./programs/yq.ts";
import { mayReadFile } from "./readable-files.ts";

const PROGRAMS: ReadonlyMap<string, ProgramGrammar> = new Map<string, ProgramGrammar>(
  Object.entries({
    ...FILE_TOOLS,
    ...TEXT_TOOLS,
    ...SEARCH_TOOLS,
    ...SYSTEM_INFO,
    ...VERSIONS,
    ...SHELL_BUILTINS,
    find: isReadOnlyFind,
    sed: isReadOnlySed,
    gsed: isReadOnlySed,
    awk: isReadOnlyAwk,
    gawk: isReadOnlyAwk,
    mawk: isReadOnlyAwk,
    nawk: isReadOnlyAwk,
    jq: isReadOnlyJq,
    yq: isReadOnlyYq,
    tar: isListingTar,
    unzip: isListingUnzip,
    git: isReadOnlyGit,
  }),
);

/** Whether a program is one that reads, whatever its options do. */
export function isReadingProgram(name: string): boolean {
  return PROGRAMS.has(name) && !Object.hasOwn(VERSIONS, name);
}

/** Whether a word is the name of a program in the grammar. */
export function isKnownProgram(name: string): boolean {
  return PROGRAMS.has(name) || Object.hasOwn(TOOL_SUBCOMMANDS, name);
}

/** Cached: a request checks each of its commands several times. */
const cache = new WeakMap<ShellCommand, boolean>();

/** Whether a command is known to only read, and only inside the workspace. */
export function isReadOnly(command: ShellCommand, locations: Locations): boolean {
  const cached = cache.get(command);
  if (cached !== undefined) return cached;
  const result = matchesGrammar(command, locations);
  cache.set(command, result);
  return result;
}

function matchesGrammar(command: ShellCommand, locations: Locations): boolean {
  if (command.hiddenCode !== null || command.isOwnFunction || !hasHarmlessStarters(command)) return false;
  if (!hasHarmlessRedirects(command, (text) => mayReadFile(text, locations, command.cwds))) return false;
  if (!command.redirects.every((each) => each.variables.every(isPublicVariable))) return false;
  if (command.name === "") return command.assignedVariables.every(isOwnVariable);
  // `xargs` may turn its stdin into any number of words.
  if (readsWordsFromStdin(command)) return false;
  if (!hasPlainAssigns(command) || !isSystemPath(command.path)) return false;
  if (!command.cwds.every((cwd) => isInWorkspace(cwd, locations)) || isAmbiguous(command)) return false;
  const tool = Object.hasOwn(TOOL_SUBCOMMANDS, command.name) ? toolSpec(command) : undefined;
  if (tool !== undefined) return matchesSpec(tool.spec, tool.command, locations);
  const program = PROGRAMS.get(command.name);
  if (program === undefined) return false;
  return typeof program === "function"
    ? program(command, locations)
    : matchesSpec(program, command, locations);
}

function readsWordsFromStdin({ starters, args }: ShellCommand): boolean {
  const takesWordsFromStdin = starters.some(({ name }) => name === "xargs" || name === "parallel");
  return takesWordsFromStdin && args.some((word) => !isKnown(word) && word.found === undefined);
}

/** `IFS= read -r line` affects only that read. */
function hasPlainAssigns({ assignedVariables, name }: ShellCommand): boolean {
  return assignedVariables.every((variable) => variable === "IFS" && name === "read");
}

/** The grammar of a program's subcommand: `docker ps`. */
function toolSpec(command: ShellCommand): { spec: ProgramSpec; command: ShellCommand } | undefined {
  const specs = TOOL_SUBCOMMANDS[command.name]!;
  const verb = command.args[0]?.text ?? "";
  if (verb !== "" && Object.hasOwn(specs, verb))
    return { spec: specs[verb]!, command: { ...command, args: command.args.slice(1) } };
  return specs[""] === undefined ? undefined : { spec: specs[""], command };
}
