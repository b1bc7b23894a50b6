import { filesInPhrases } from "./carried-commands.ts";
import { filesOf } from "./command-files.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { gitFolderPrinted } from "./git-settings.ts";
import { judgeCode } from "./hidden-code.ts";
import { runsLater } from "./later-commands.ts";
import { onlyReads, reachesHookline, steersItself } from "./own-commands.ts";
import { namesOwnPort, type OwnFile, ownFileOf, ownPathsIn } from "./own-files.ts";
import { withoutBraces } from "./path-glob.ts";
import { type Places, pathsOf, shownPath } from "./places.ts";
import { type Protection, protectionOf, protectionOfGlob } from "./protected-files.ts";
import { printedText } from "./shell/printed-text.ts";
import { isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";
import type { GuessedInput } from "./tool-inputs.ts";
import { isWriterByName, kindOfTool, type NamedPath } from "./tools.ts";

/** `opened`: read by a program that is not known to only read. */
type Access = "read" | "opened" | "write" | "move" | "mode" | "restore" | "either" | "names";

/** What a tool's input says of files. */
export function judgeNamed(
  named: readonly NamedPath[],
  toolName: string,
  places: Places,
  protect: readonly string[],
): Finding | null {
  // What another tool does with a file that it is said to read is not known.
  const isOther = kindOfTool(toolName) === "other";
  return gravest(
    named.map(({ path, access: given }) => {
      const access = isOther && given === "read" ? "opened" : given;
      return judgePath(path, access, toolName, places, [places.cwd], protect);
    }),
  );
}

/** What another tool's input seems to name, run or speak to, whatever its keys are called. */
export function judgeGuessed(
  { names, patched, codes, texts, isCut }: GuessedInput,
  toolName: string,
  places: Places,
  protect: readonly string[],
): Finding | null {
  const seen = isWriterByName(toolName) ? "either" : "read";
  const where = `the input of ${toolName}`;
  return gravest([
    ...names.map((name) => judgePath(name, seen, toolName, places, [places.cwd], [])),
    ...patched.map((file) => judgePath(file, "write", toolName, places, [places.cwd], protect)),
    ...codes.map((code) => judgeCode(code, where, places)),
    ...texts.map((text) => judgeAddress(text, toolName, places)),
    isCut ? ask("unparsable", `There is more in ${where} than is looked through.`) : null,
  ]);
}

function judgeAddress(text: string, toolName: string, places: Places): Finding | null {
  if (/:\d/.test(text) && namesOwnPort(text, places) && text.includes(`:${places.own.port}`))
    return deny("own-port", `${toolName} would speak to Hookline's own port, which is for people.`);
  if (/^(?:\/|~|\/(?:home|root|etc|usr|var|boot)(?:\/[^/:]+)?)\/?:\/[^:]*(?::rw)?$/.test(text))
    return ask("wide-mount", `${toolName} would give all of ${text.split(":")[0]} away, to change it.`);
  return ownPathsIn(text, places).some((path) => ownFileOf(path, places) === "key")
    ? deny("own-file", `${toolName} would use a file that only Hookline itself may use.`)
    : null;
}

/** The files a search is narrowed to. */
export function judgeSearched(glob: unknown, places: Places): Finding | null {
  if (typeof glob !== "string") return null;
  return gravest(
    withoutBraces(glob).map((each) => {
      const path = `${places.cwd}/${each}`;
      const found = protectionOfGlob(path, places) ?? protectionOf(path, places);
      return found === null ? null : judgement(found, "read", each, "Grep");
    }),
  );
}

/** What a command does to files: its redirections and its words. */
export function judgeCommandFiles(
  command: ShellCommand,
  places: Places,
  protect: readonly string[],
): Finding | null {
  const name = shown(command);
  const who = name === "``" ? "This" : name;
  return gravest([
    ...[command, ...withPrinted(command)].flatMap(filesOf).map(({ text, isGlob, access: given }) => {
      const access: Access = given === "read" && !onlyReads(command) ? "opened" : given;
      const globs = isGlob ? pathsOf(text, places, knownOf(command.cwds, places)) : [];
      return gravest([
        ...globs.map((glob) => {
          const protection = protectionOfGlob(glob, places);
          return protection === null ? null : judgement(protection, access, text, who);
        }),
        judgePath(text, access, who, places, command.cwds, protect),
      ]);
    }),
    ...filesInPhrases(command).map((text) =>
      judgePath(text, "either", shown(command), places, command.cwds, []),
    ),
    runsLater(command),
    reachesHookline(command, places),
    steersItself(command),
  ]);
}

/**
 * Files that a script names in one place and uses in another, by a variable: `read f <<< .env; cat $f`. What it names
 * counts as what it uses.
 */
export function judgeHandedOn(
  commands: readonly ShellCommand[],
  leftOut: readonly string[],
  places: Places,
): Finding | null {
  const unknown = commands.flatMap((command) =>
    filesOf(command).flatMap(({ text, access }) =>
      /^\W*$/.test(text) && text.includes(UNKNOWN) ? [{ command, access }] : [],
    ),
  );
  if (unknown.length === 0) return null;
  const accesses = new Map(unknown.map(({ access, command }) => [access, command]));
  const named = [...new Set([...commands.flatMap(handedOn), ...leftOut])];
  const byName: Places = { ...places, world: { ...places.world, realPath: (path) => path } };
  return gravest(
    [...accesses].flatMap(([access, command]) =>
      named.map((text, at) =>
        judgePath(text, access, shown(command), at < MOST_FOLLOWED ? places : byName, command.cwds, []),
      ),
    ),
  );
}

/** Past so many words links are not followed: a long text may stand in the same script. */
const MOST_FOLLOWED = 100;

/** Whole words that a command prints or passes to a function. */
function handedOn(command: ShellCommand): readonly string[] {
  const isPassed =
    command.isOwnFunction ||
    /^(?:echo|printf|read|mapfile|readarray|set|declare|local|export)$/.test(command.name);
  const words = isPassed ? command.args.map((word) => word.text.replace(/^\w+=/, "")) : [];
  const fed = command.redirects.flatMap((each) => each.text ?? []);
  return [...words, ...fed.flatMap((text) => text.split(/\s+/))].filter((text) =>
    /^[^\s\0]{2,1000}$/.test(text),
  );
}

/** `cat $(echo .env)`: where a substitution's text is plain, the command with that in its place. */
function withPrinted(command: ShellCommand): readonly ShellCommand[] {
  const texts = command.substituted.flatMap(
    (each) => printedText(each)?.trim() ?? gitFolderPrinted(each) ?? [],
  );
  const fill = (word: ShellWord, text: string): ShellWord =>
    isKnown(word) ? word : { ...word, text: word.text.replaceAll(UNKNOWN, () => text) };
  return texts.slice(0, 8).map((text) => ({
    ...command,
    args: command.args.map((word) => fill(word, text)),
    redirects: command.redirects.map((each) => ({
      ...each,
      target: each.target === null ? null : fill(each.target, text),
    })),
  }));
}

function knownOf(cwds: readonly string[], places: Places): readonly string[] {
  const known = cwds.filter((cwd) => !cwd.includes(UNKNOWN));
  return known.length > 0 ? known : [places.cwd];
}

function judgePath(
  text: string,
  access: Access,
  who: string,
  places: Places,
  cwds: readonly string[],
  protect: readonly string[],
): Finding | null {
  return gravest(
    knownParts(text).map((written) =>
      gravest(
        pathsOf(written, places, knownOf(cwds, places)).map((path) => {
          const protection = protectionOf(path, places, protect);
          return protection === null ? null : judgement(protection, access, shownPath(path, places), who);
        }),
      ),
    ),
  );
}

/** Of a path that is not known, its end may still say what it is, and the folders before it where it lies. */
function knownParts(text: string): readonly string[] {
  const at = text.indexOf(UNKNOWN);
  const end = text.slice(text.lastIndexOf(UNKNOWN) + 1);
  const folder = at < 0 ? "" : text.slice(0, text.lastIndexOf("/", at) + 1);
  const parts = at < 0 ? [text] : [end.replace(/^\/*/, ""), folder];
  return parts.filter((part) => part !== "" && part !== "/");
}

function judgement(protection: Protection, access: Access, path: string, who: string): Finding | null {
  if (access === "names") return null;
  switch (protection.kind) {
    case "own":
      return judgeOwn(protection.file, access, path, who);
    case "secret":
      if (access === "mode") return null;
      return access === "write" || access === "restore"
        ? deny("write-secret-file", `${who} would change ${path}, ${protection.what}.`)
        : ask("read-secret-file", `${who} would use ${path}, ${protection.what}.`);
    case "later":
      return access === "read" || access === "opened" || access === "restore"
        ? null
        : ask("runs-later", `${who} would change ${path}: ${protection.what}.`);
    case "protect":
      return access === "read" || access === "opened"
        ? null
        : ask(protection.rule, `${who} would change ${path}: it is protected by a rule.`);
    default:
      return protection satisfies never;
  }
}

function judgeOwn(file: OwnFile, access: Access, path: string, who: string): Finding | null {
  if (file === "key")
    return deny("own-file", `${who} would use ${path}, which only Hookline itself may use.`);
  if (access === "read") return null;
  return file === "rules"
    ? ask("own-file", `${who} would change ${path}, by which Hookline judges.`)
    : deny("own-file", `${who} would change ${path}, which only Hookline itself may change.`);
}
