import { filesInPhrases } from "./carried-commands.ts";
import { filesOf } from "./command-files.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { gitFolderPrinted } from "./git-settings.ts";
import { foldersGiven, foldersNamed } from "./given-folders.ts";
import { judgeCode } from "./hidden-code.ts";
import { judgeFound } from "./judge-found.ts";
import { type Access, judgeGlob, judgeGuess, judgeHidden, judgePath } from "./judge-paths.ts";
import { runsLater } from "./later-commands.ts";
import { codeSpeaksToHookline, onlyReads, reachesHookline, steersItself } from "./own-commands.ts";
import { isOwnAddress, namesOwnPort, ownFileOf, ownPathsIn } from "./own-files.ts";
import type { Places } from "./places.ts";
import { filesListed } from "./shell/find-commands.ts";
import { printedText } from "./shell/printed-text.ts";
import { isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";
import type { Subject } from "./subject.ts";
import { isWriterByName, type NamedPath } from "./tools.ts";
import { spend } from "./work.ts";

/** What a tool's input says of files. */
export function judgeNamed(
  named: readonly NamedPath[],
  { request: { toolName }, kind, places, guessed }: Subject,
  protect: readonly string[],
): Finding | null {
  // What another tool does with a file that it is said to read is not known.
  const isOther = kind === "other";
  const cwds = foldersNamed(guessed.folders, places);
  return gravest(
    named.map(({ path, access: given }) => {
      const access = isOther && given === "read" ? "opened" : given;
      return judgePath(path, { access, who: toolName, places, cwds, protect });
    }),
  );
}

/** What another tool's input seems to name, run or speak to, whatever its keys are called. */
export function judgeGuessed(
  { guessed, request: { toolName }, places }: Subject,
  protect: readonly string[],
): Finding | null {
  const { names, patched, codes, texts, queries, isCut } = guessed;
  const seen = isWriterByName(toolName) ? "either" : "read";
  const where = `the input of ${toolName}`;
  const use = {
    access: seen,
    who: toolName,
    places,
    cwds: foldersNamed(guessed.folders, places),
    protect: [],
  } as const;
  return gravest([
    ...names.map((name) =>
      /[*?[]/.test(name) ? judgeGuess(name.replace(/[*?]+|\[[^\]]*\]/g, UNKNOWN), use) : judgePath(name, use),
    ),
    ...patched.map((file) => judgePath(file, { ...use, access: "write", protect })),
    ...use.cwds.flatMap((cwd) => codes.map((code) => judgeCode(code, where, { ...places, cwd }))),
    ...texts.map((text) => judgeAddress(text, toolName, places)),
    codes.some((code) => codeSpeaksToHookline(code, places))
      ? deny("own-port", `${toolName} would speak to Hookline's own port, which is for people.`)
      : null,
    queries.length > 0
      ? ask("leaves-database", `${toolName} makes a database run programs, load code or use files.`)
      : null,
    isCut ? ask("unparsable", `There is more in ${where} than is looked through.`) : null,
  ]);
}

function judgeAddress(given: string, toolName: string, places: Places): Finding | null {
  const text = decoded(given);
  const isHere = /:\d/.test(text) ? isOwnAddress(text, places) : isNearPort(text, places);
  if (isHere) return deny("own-port", `${toolName} would speak to Hookline's own port, which is for people.`);
  if (/^(?:\/|~|\/(?:home|root|etc|usr|var|boot)(?:\/[^/:]+)?)\/?:\/[^:]*(?::rw)?$/.test(text))
    return ask("wide-mount", `${toolName} would give all of ${text.split(":")[0]} away, to change it.`);
  return [given, text].some((each) =>
    ownPathsIn(each, places).some((path) => ownFileOf(path, places) === "key"),
  )
    ? deny("own-file", `${toolName} would use a file that only Hookline itself may use.`)
    : null;
}

/** `http+unix://%2Fhome%2F…` */
function decoded(text: string): string {
  if (!/%[\da-f]{2}/i.test(text) || text.length > MAX_ADDRESS) return text;
  return text.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const MAX_ADDRESS = 4_096;

/** `localhost 37777` */
function isNearPort(text: string, places: Places): boolean {
  return (
    /^(?:localhost|127\.[\d.]+|::1|\[::1\]|0\.0\.0\.0)[\s,;/]+\d{1,8}$/.test(text) &&
    namesOwnPort(text, places)
  );
}

/** What a command does to files: its redirections and its words. */
export function judgeCommandFiles(
  command: ShellCommand,
  places: Places,
  protect: readonly string[],
): Finding | null {
  return gravest([
    ...withPrinted(command).map((each) => judgeFilesOf(each, places, protect)),
    ...[command, ...withGuesses(command)].flatMap((each) => [
      judgeFilesOf(each, places, protect),
      ...filesInPhrases(each).map((text) =>
        judgePath(text, { access: "either", who: shown(each), places, cwds: each.cwds, protect: [] }),
      ),
      runsLater(each),
      reachesHookline(each, places),
      steersItself(each),
    ]),
  ]);
}

function judgeFilesOf(command: ShellCommand, places: Places, protect: readonly string[]): Finding | null {
  const name = shown(command);
  const who = name === "``" ? "This" : name;
  const cwds = [...command.cwds, ...foldersGiven(command)];
  const goesDeep = searchesDeep(command);
  return gravest(
    filesOf(command).map(({ text, isGlob, access: given, found, findsHidden }) => {
      const access: Access = given === "read" && !onlyReads(command) ? "opened" : given;
      const use = { access, who, places, cwds, protect };
      if (REMOVES.test(command.name) && CACHES.test(text)) return null;
      return gravest([
        isGlob ? judgeGlob(text, use, found === undefined) : null,
        isGlob && findsHidden && !REMOVES.test(command.name) ? judgeHidden(text, use) : null,
        found === undefined ? null : judgeFound(found, use),
        goesDeep ? judgeFound({ folder: text, names: null }, use) : null,
        judgePath(text, use),
      ]);
    }),
  );
}

/** What removes all of a folder is no matter of one file in it. */
const REMOVES = /^(?:rm|rimraf|unlink|trash|trash-put)$/;

/** Nothing runs later because one of these is gone: they are made anew. */
const CACHES =
  /(?:^|\/)\.(?:gradle|kotlin|swiftpm|bloop|metals|moon\/cache|vscode-test|direnv|bundle|vercel|idea)\/?$/;

/** Whether a search goes down into folders, hidden ones too. */
function searchesDeep({ name, args }: ShellCommand): boolean {
  if (/^[efz]?grep$/.test(name))
    return args.some((word) => /^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive)/.test(word.text));
  return (
    /^(?:rg|ag|ugrep)$/.test(name) &&
    args.some((word) => /^(?:-[a-zA-Z]*(?:uu|\.)|--hidden|--unrestricted)/.test(word.text))
  );
}

const MAX_VARIANTS = 8;

/** The command with what its unknown words may be. */
function withGuesses(command: ShellCommand): readonly ShellCommand[] {
  const words = [...command.args, ...command.redirects.flatMap((each) => each.target ?? [])];
  const count = Math.min(MAX_VARIANTS, Math.max(0, ...words.map((word) => word.guesses?.length ?? 0)));
  return Array.from({ length: count }, (_, at) => {
    spend(words.reduce((sum, word) => sum + 400 + 8 * word.text.length, 0));
    const fill = (word: ShellWord): ShellWord => {
      const guess = word.guesses?.[at % word.guesses.length];
      return guess === undefined ? word : { ...word, text: guess, isGlob: /[*?[]/.test(guess) };
    };
    return {
      ...command,
      args: command.args.map(fill),
      redirects: command.redirects.map((each) => ({
        ...each,
        target: each.target === null ? null : fill(each.target),
      })),
    };
  });
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
  const listed = commands.slice(0, MOST_FOLLOWED).flatMap(filesListed);
  return gravest(
    [...accesses].flatMap(([access, command]) => [
      ...listed.map(({ found, text }) => {
        const use = { access, who: shown(command), places, cwds: command.cwds, protect: [] };
        return found === undefined ? judgePath(text, use) : judgeFound(found, use);
      }),
      ...named.map((text, at) =>
        judgePath(text, {
          access,
          who: shown(command),
          places: at < MOST_FOLLOWED ? places : byName,
          cwds: command.cwds,
          protect: [],
        }),
      ),
    ]),
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
