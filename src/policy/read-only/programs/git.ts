import { isInside, type Places, pathsOf } from "../../places.ts";
import { protectionOfGlob } from "../../protected-files.ts";
import { isKnown, type ShellCommand, type ShellWord } from "../../shell/shell-reading.ts";
import { fitsKind } from "../check-words.ts";
import { fitsSpec } from "../fits-spec.ts";
import type { Call, Spec } from "../grammar.ts";
import { GIT_COMMANDS, GIT_SUBCOMMANDS } from "./git-commands.ts";
import { SHOWS } from "./git-options.ts";
import { type GitPlace, gitPlacesOf } from "./git-place.ts";
import { showsKeptSecret } from "./git-secrets.ts";

/** `git` with a command that only reads. What the repository's own configuration makes it run is not seen. */
export function isReadOnlyGit(command: ShellCommand, places: Places): boolean {
  const start = withoutGlobal(command, places);
  const here = start?.cwds.flatMap((cwd) => gitPlacesOf(cwd, places)) ?? [];
  if (start === null || here.some(({ type }) => type === "unknown")) return false;
  const [verb, ...args] = start.args;
  if (verb === undefined || !isKnown(verb)) return false;
  if (verb.text === "--version") return args.length === 0;
  const found = specOf(verb.text, args);
  const name = verb.text === "stash" ? `stash ${args[0]?.text}` : verb.text;
  if (found === undefined) return false;
  const spec = {
    ...found.spec,
    check: (call: Call) =>
      showsOpenLines(call) && !showsKeptSecret(name, call, here) && found.spec.check?.(call) !== false,
  };
  return fitsSpec(spec, { ...start, args: found.args }, places, (word, kind, call) => {
    if (kind !== "read") return fitsKind(word, kind, call.command, places);
    if (!isReadable(word, call)) return false;
    // One that lies elsewhere, and files are compared that git knows nothing of.
    const isInside = verb.text !== "diff" || call.operands.every((one) => isInEach(one, call, here));
    return isInside || fitsKind(word, "tree", call.command, places);
  });
}

function specOf(
  verb: string,
  args: readonly ShellWord[],
): { spec: Spec; args: readonly ShellWord[] } | undefined {
  if (Object.hasOwn(GIT_COMMANDS, verb)) return { spec: GIT_COMMANDS[verb]!, args };
  const further = Object.hasOwn(GIT_SUBCOMMANDS, verb) ? GIT_SUBCOMMANDS[verb]! : {};
  const name = args[0]?.text ?? "";
  if (name !== "" && Object.hasOwn(further, name)) return { spec: further[name]!, args: args.slice(1) };
  return further[""] === undefined ? undefined : { spec: further[""], args };
}

/** Takes the options before the command away; null when one of them may change what runs. */
function withoutGlobal(command: ShellCommand, places: Places): ShellCommand | null {
  let { cwds } = command;
  let at = 0;
  for (; command.args[at]?.text.startsWith("-"); at++) {
    const { text } = command.args[at]!;
    if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(text)) continue;
    if (text === "--version") break;
    const value = command.args[++at];
    if (value === undefined || !isKnown(value) || value.isGlob) return null;
    if (text === "-c" && SHOWS.test(value.text)) continue;
    if (text !== "-C" || !fitsKind(value, "name", { ...command, cwds }, places)) return null;
    cwds = cwds.map((cwd) => (value.text.startsWith("/") ? value.text : `${cwd}/${value.text}`));
  }
  return { ...command, args: command.args.slice(at), cwds };
}

/** Whether a word can only be of the repository: outside of one, `git diff` compares files and folders of any kind. */
function isInEach(word: ShellWord, { command, places }: Call, here: readonly GitPlace[]): boolean {
  const paths = pathsOf(word.text, places, command.cwds);
  return here.every(
    (place) =>
      place.type === "repository" && place.isSure && paths.every((path) => isInside(path, place.root)),
  );
}

/** `-L 1,9:file` */
function showsOpenLines(call: Call): boolean {
  return call.values.every(([name, word]) => {
    if (name !== "-L" || !word.text.includes(":")) return true;
    const path = word.text.slice(word.text.lastIndexOf(":") + 1);
    return fitsKind({ ...word, text: path }, "read", call.command, call.places);
  });
}

function mayFindSecret(glob: string, command: ShellCommand, places: Places): boolean {
  return command.cwds.some((cwd) => protectionOfGlob(`${cwd}/${glob}`, places)?.kind === "secret");
}

/** A commit, a file, or a file of a commit (`HEAD:a.ts`). */
function isReadable(word: ShellWord, { command, places }: Call): boolean {
  if (!isKnown(word)) return false;
  const text = word.text.replace(/^\^/, "").replace(/^@(?=$|[{~^:.])/, "HEAD");
  // The third parent of a stash has the files that were not tracked.
  if (text.startsWith(":(") || /\^[3-9]/.test(text)) return false;
  // Git itself takes a quoted word for a glob.
  if (/[*?[]/.test(text) && mayFindSecret(text, command, places)) return false;
  const parts = text.split(":").filter((part) => part !== "");
  return (
    fitsKind({ ...word, text }, "read", command, places) &&
    parts.every((part) => fitsKind({ ...word, text: part, isGlob: false }, "read", command, places))
  );
}
