import { isInWorkspace, type Places } from "../places.ts";
import { isOwnVariable, isPublicVariable } from "../shell/plain-variables.ts";
import { isKnown, type ShellCommand } from "../shell/shell-reading.ts";
import { isDoubtful } from "./doubtful-words.ts";
import { fitsSpec } from "./fits-spec.ts";
import type { Program, Spec } from "./grammar.ts";
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
import { TOOLS, VERSIONS } from "./programs/versions.ts";
import { isReadOnlyYq } from "./programs/yq.ts";
import { mayRead } from "./readable-files.ts";
import { onlyHarmlessRedirects } from "./redirects.ts";
import { areHarmlessStarters } from "./starters.ts";

const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>(
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
export function isReader(name: string): boolean {
  return PROGRAMS.has(name) && !Object.hasOwn(VERSIONS, name);
}

/** Whether a word is the name of a program that the grammar knows. */
export function isKnownProgram(name: string): boolean {
  return PROGRAMS.has(name) || Object.hasOwn(TOOLS, name);
}

/** One request asks about each of its commands several times. */
const judged = new WeakMap<ShellCommand, boolean>();

/** Whether a command is known to do nothing but read, and only inside the workspace. */
export function isReadOnly(command: ShellCommand, places: Places): boolean {
  const before = judged.get(command);
  if (before !== undefined) return before;
  const isHarmless = fitsGrammar(command, places);
  judged.set(command, isHarmless);
  return isHarmless;
}

function fitsGrammar(command: ShellCommand, places: Places): boolean {
  if (command.unread !== null || command.isOwnFunction || !areHarmlessStarters(command)) return false;
  if (!onlyHarmlessRedirects(command, (text) => mayRead(text, places, command.cwds))) return false;
  if (!command.redirects.every((each) => each.variables.every(isPublicVariable))) return false;
  if (command.name === "") return command.assigns.every(isOwnVariable);
  // `xargs` makes of what it is fed as many words as it likes.
  if (isFedWords(command)) return false;
  if (!hasPlainAssigns(command) || !isSystemPath(command.path)) return false;
  if (!command.cwds.every((cwd) => isInWorkspace(cwd, places)) || isDoubtful(command)) return false;
  const tool = Object.hasOwn(TOOLS, command.name) ? toolSpec(command) : undefined;
  if (tool !== undefined) return fitsSpec(tool.spec, tool.command, places);
  const program = PROGRAMS.get(command.name);
  if (program === undefined) return false;
  return typeof program === "function" ? program(command, places) : fitsSpec(program, command, places);
}

function isFedWords({ starters, args }: ShellCommand): boolean {
  const isFed = starters.some(({ name }) => name === "xargs" || name === "parallel");
  return isFed && args.some((word) => !isKnown(word) && word.found === undefined);
}

/** `IFS= read -r line` is about that reading alone. */
function hasPlainAssigns({ assigns, name }: ShellCommand): boolean {
  return assigns.every((variable) => variable === "IFS" && name === "read");
}

/** The grammar of a program's own command: `docker ps`. */
function toolSpec(command: ShellCommand): { spec: Spec; command: ShellCommand } | undefined {
  const specs = TOOLS[command.name]!;
  const verb = command.args[0]?.text ?? "";
  if (verb !== "" && Object.hasOwn(specs, verb))
    return { spec: specs[verb]!, command: { ...command, args: command.args.slice(1) } };
  return specs[""] === undefined ? undefined : { spec: specs[""], command };
}
