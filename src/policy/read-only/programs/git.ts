import { isInside, type Locations, pathsOf } from "../../locations.ts";
import { protectionOfGlob } from "../../protected-files.ts";
import { isKnown, type ShellCommand, type ShellWord } from "../../shell/shell-reading.ts";
import { matchesKind } from "../check-words.ts";
import type { ParsedCommand, ProgramSpec } from "../grammar.ts";
import { matchesSpec } from "../matches-spec.ts";
import { GIT_COMMANDS, GIT_SUBCOMMANDS } from "./git-commands.ts";
import { findGitLocations, type GitLocation } from "./git-location.ts";
import { DISPLAY_SETTING } from "./git-options.ts";
import { showsStoredSecret } from "./git-secrets.ts";

/** `git` with a command that only reads. What the repository's own configuration makes it run is not seen. */
export function isReadOnlyGit(command: ShellCommand, locations: Locations): boolean {
  const start = withoutGlobalOptions(command, locations);
  const repositories = start?.cwds.flatMap((cwd) => findGitLocations(cwd, locations)) ?? [];
  if (start === null || repositories.some(({ type }) => type === "unknown")) return false;
  const [verb, ...args] = start.args;
  if (verb === undefined || !isKnown(verb)) return false;
  if (verb.text === "--version") return args.length === 0;
  const found = specOf(verb.text, args);
  const name = verb.text === "stash" ? `stash ${args[0]?.text}` : verb.text;
  if (found === undefined) return false;
  const spec = {
    ...found.spec,
    check: (call: ParsedCommand) =>
      showsReadableLines(call) &&
      !showsStoredSecret(name, call, repositories) &&
      found.spec.check?.(call) !== false,
  };
  return matchesSpec(spec, { ...start, args: found.args }, locations, (word, kind, call) => {
    if (kind !== "read") return matchesKind(word, kind, call.command, locations);
    if (!isReadable(word, call)) return false;
    // If any path is outside, git compares files that it does not track.
    const isInside =
      verb.text !== "diff" || call.operands.every((word) => isInEach(word, call, repositories));
    return isInside || matchesKind(word, "tree", call.command, locations);
  });
}

function specOf(
  verb: string,
  args: readonly ShellWord[],
): { spec: ProgramSpec; args: readonly ShellWord[] } | undefined {
  if (Object.hasOwn(GIT_COMMANDS, verb)) return { spec: GIT_COMMANDS[verb]!, args };
  const subcommands = Object.hasOwn(GIT_SUBCOMMANDS, verb) ? GIT_SUBCOMMANDS[verb]! : {};
  const name = args[0]?.text ?? "";
  if (name !== "" && Object.hasOwn(subcommands, name))
    return { spec: subcommands[name]!, args: args.slice(1) };
  return subcommands[""] === undefined ? undefined : { spec: subcommands[""], args };
}

/** Strips the options before the command; null when one of them may change what runs. */
function withoutGlobalOptions(command: ShellCommand, locations: Locations): ShellCommand | null {
  let { cwds } = command;
  let index = 0;
  for (; command.args[index]?.text.startsWith("-"); index++) {
    const { text } = command.args[index]!;
    if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(text)) continue;
    if (text === "--version") break;
    const value = command.args[++index];
    if (value === undefined || !isKnown(value) || value.isGlob) return null;
    if (text === "-c" && DISPLAY_SETTING.test(value.text)) continue;
    if (text !== "-C" || !matchesKind(value, "name", { ...command, cwds }, locations)) return null;
    cwds = cwds.map((cwd) => (value.text.startsWith("/") ? value.text : `${cwd}/${value.text}`));
  }
  return { ...command, args: command.args.slice(index), cwds };
}

/** Whether a word can only be in the repository: outside one, `git diff` compares any files and folders. */
function isInEach(
  word: ShellWord,
  { command, locations }: ParsedCommand,
  repositories: readonly GitLocation[],
): boolean {
  const paths = pathsOf(word.text, locations, command.cwds);
  return repositories.every(
    (repository) =>
      repository.type === "repository" &&
      repository.isSure &&
      paths.every((path) => isInside(path, repository.root)),
  );
}

/** `-L 1,9:file` */
function showsReadableLines(call: ParsedCommand): boolean {
  return call.values.every(([name, word]) => {
    if (name !== "-L" || !word.text.includes(":")) return true;
    const path = word.text.slice(word.text.lastIndexOf(":") + 1);
    return matchesKind({ ...word, text: path }, "read", call.command, call.locations);
  });
}

function mayFindSecret(glob: string, command: ShellCommand, locations: Locations): boolean {
  return command.cwds.some((cwd) => protectionOfGlob(`${cwd}/${glob}`, locations)?.kind === "secret");
}

/** A commit, a file, or a file of a commit (`HEAD:a.ts`). */
function isReadable(word: ShellWord, { command, locations }: ParsedCommand): boolean {
  if (!isKnown(word)) return false;
  const text = word.text.replace(/^\^/, "").replace(/^@(?=$|[{~^:.])/, "HEAD");
  // The third parent of a stash contains the untracked files.
  if (text.startsWith(":(") || /\^[3-9]/.test(text)) return false;
  // Git itself treats a quoted word as a glob.
  if (/[*?[]/.test(text) && mayFindSecret(text, command, locations)) return false;
  const parts = text.split(":").filter((part) => part !== "");
  return (
    matchesKind({ ...word, text }, "read", command, locations) &&
    parts.every((part) => matchesKind({ ...word, text: part, isGlob: false }, "read", command, locations))
  );
}
