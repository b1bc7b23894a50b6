import { baseFoldersOfCommand, baseFoldersOfInput } from "./base-folders.ts";
import { filesOfCommand } from "./command-files.ts";
import { displayCommand } from "./display-command.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { printedGitFolder } from "./git-settings.ts";
import { judgeCode } from "./hidden-code.ts";
import type { InspectedRequest } from "./inspect-request.ts";
import { judgeFoundFiles } from "./judge-found-files.ts";
import { type Access, judgeGlob, judgeHiddenMatches, judgePartialPath, judgePath } from "./judge-paths.ts";
import type { Locations } from "./locations.ts";
import { filesInCommandPhrases } from "./nested-commands.ts";
import {
  codeConnectsToHookline,
  isFileReader,
  judgeHooklineAccess,
  judgeSelfControl,
} from "./own-commands.ts";
import { isOwnAddress, mentionsOwnPort, ownFileOf, ownPathsIn } from "./own-files.ts";
import { judgeRunsLater } from "./runs-later-commands.ts";
import { listedFileWords } from "./shell/find-commands.ts";
import { printedText } from "./shell/printed-text.ts";
import { isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { isWriterTool, type NamedPath } from "./tools.ts";
import { giveUp, spend } from "./work.ts";

/** Judges the files that a tool's input names. */
export function judgeNamedPaths(
  named: readonly NamedPath[],
  { request: { toolName }, kind, locations, guessed }: InspectedRequest,
  protect: readonly string[],
): Finding | null {
  // Another tool may do anything with a file that it claims to read.
  const isOther = kind === "other";
  const cwds = baseFoldersOfInput(guessed.folders, locations);
  return mostSevere(
    named.map(({ path, access: namedAccess }) => {
      const access = isOther && namedAccess === "read" ? "opened" : namedAccess;
      return judgePath(path, { access, actor: toolName, locations, cwds, protect });
    }),
  );
}

/** Judges what another tool's input seems to name, run or connect to, whatever its keys. */
export function judgeGuessedInput(
  { guessed, request: { toolName }, locations }: InspectedRequest,
  protect: readonly string[],
): Finding | null {
  const { names, patched, codes, texts, queries, isCut } = guessed;
  const access = isWriterTool(toolName) ? "either" : "read";
  const where = `the input of ${toolName}`;
  const use = {
    access,
    actor: toolName,
    locations,
    cwds: baseFoldersOfInput(guessed.folders, locations),
    protect: [],
  } as const;
  return mostSevere([
    ...names.map((name) =>
      /[*?[]/.test(name)
        ? judgePartialPath(name.replace(/[*?]+|\[[^\]]*\]/g, UNKNOWN), use)
        : judgePath(name, use),
    ),
    ...patched.map((file) => judgePath(file, { ...use, access: "write", protect })),
    ...use.cwds.flatMap((cwd) => codes.map((code) => judgeCode(code, where, { ...locations, cwd }))),
    ...texts.map((text) => judgeAddress(text, toolName, locations)),
    codes.some((code) => codeConnectsToHookline(code, locations))
      ? deny("own-port", `${toolName} would connect to Hookline's own port, which is reserved for you.`)
      : null,
    queries.length > 0
      ? ask("leaves-database", `${toolName} would make a database run programs, load code or use files.`)
      : null,
    isCut ? ask("unparsable", `Part of ${where} was too long to check.`) : null,
  ]);
}

function judgeAddress(rawText: string, toolName: string, locations: Locations): Finding | null {
  const text = decoded(rawText);
  const isOwn = /:\d/.test(text) ? isOwnAddress(text, locations) : isNearPort(text, locations);
  if (isOwn)
    return deny("own-port", `${toolName} would connect to Hookline's own port, which is reserved for you.`);
  if (/^(?:\/|~|\/(?:home|root|etc|usr|var|boot)(?:\/[^/:]+)?)\/?:\/[^:]*(?::rw)?$/.test(text))
    return ask("wide-mount", `${toolName} would share all of ${text.split(":")[0]} with write access.`);
  return [rawText, text].some((each) =>
    ownPathsIn(each, locations).some((path) => ownFileOf(path, locations) === "key"),
  )
    ? deny("own-file", `${toolName} would use a file reserved for Hookline.`)
    : null;
}

/** `http+unix://%2Fhome%2F…` */
function decoded(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text;
  return text.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** `localhost 37777` */
function isNearPort(text: string, locations: Locations): boolean {
  return (
    /^(?:localhost|127\.[\d.]+|::1|\[::1\]|0\.0\.0\.0)[\s,;/]+\d{1,8}$/.test(text) &&
    mentionsOwnPort(text, locations)
  );
}

/** Judges what a command does to files, by its redirections and its words. */
export function judgeCommandFiles(
  command: ShellCommand,
  locations: Locations,
  protect: readonly string[],
): Finding | null {
  return mostSevere([
    ...withPrintedText(command).map((each) => judgeFilesOf(each, locations, protect)),
    ...[command, ...withGuesses(command)].flatMap((each) => [
      judgeFilesOf(each, locations, protect),
      ...filesInCommandPhrases(each).map((text) =>
        judgePath(text, {
          access: "either",
          actor: displayCommand(each),
          locations,
          cwds: each.cwds,
          protect: [],
        }),
      ),
      judgeRunsLater(each),
      judgeHooklineAccess(each, locations),
      judgeSelfControl(each),
    ]),
  ]);
}

function judgeFilesOf(
  command: ShellCommand,
  locations: Locations,
  protect: readonly string[],
): Finding | null {
  const name = displayCommand(command);
  const actor = name === "``" ? "This" : name;
  const cwds = [...command.cwds, ...baseFoldersOfCommand(command)];
  const searchesBelow = searchesDeep(command);
  return mostSevere(
    filesOfCommand(command).map(({ text, isGlob, access: fileAccess, found, findsHidden }) => {
      const access: Access = fileAccess === "read" && !isFileReader(command) ? "opened" : fileAccess;
      const use = { access, actor, locations, cwds, protect };
      if (REMOVES.test(command.name) && CACHES.test(text)) return null;
      return mostSevere([
        isGlob ? judgeGlob(text, use, found === undefined) : null,
        isGlob && findsHidden && !REMOVES.test(command.name) ? judgeHiddenMatches(text, use) : null,
        found === undefined ? null : judgeFoundFiles(found, use),
        searchesBelow ? judgeFoundFiles({ folder: text, names: null }, use) : null,
        judgePath(text, use),
      ]);
    }),
  );
}

/** Removing a whole folder is not judged by a single file in it. */
const REMOVES = /^(?:rm|rimraf|unlink|trash|trash-put)$/;

/** Removing one of these changes nothing that runs later: they are regenerated. */
const CACHES =
  /(?:^|\/)\.(?:gradle|kotlin|swiftpm|bloop|metals|moon\/cache|vscode-test|direnv|bundle|vercel|idea)\/?$/;

/** Whether a search descends into folders, including hidden ones. */
function searchesDeep({ name, args }: ShellCommand): boolean {
  if (/^[efz]?grep$/.test(name))
    return args.some((word) => /^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive)/.test(word.text));
  return (
    /^(?:rg|ag|ugrep)$/.test(name) &&
    args.some((word) => /^(?:-[a-zA-Z]*(?:uu|\.)|--hidden|--unrestricted)/.test(word.text))
  );
}

const MAX_GUESSES = 64;

/** The command with the possible values of its unknown words. */
function withGuesses(command: ShellCommand): readonly ShellCommand[] {
  const words = [...command.args, ...command.redirects.flatMap((each) => each.target ?? [])];
  const count = Math.max(0, ...words.map((word) => word.guesses?.length ?? 0));
  if (count > MAX_GUESSES) giveUp();
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
 * Files that a script names in one command and uses in another, through a variable: `read f <<< .env; cat $f`. Every
 * file it names counts as used.
 */
export function judgePassedFiles(commands: readonly ShellCommand[], locations: Locations): Finding | null {
  const unknown = commands.flatMap((command) =>
    filesOfCommand(command).flatMap(({ text, access }) =>
      /^\W*$/.test(text) && text.includes(UNKNOWN) ? [{ command, access }] : [],
    ),
  );
  if (unknown.length === 0) return null;
  const accesses = new Map(unknown.map(({ access, command }) => [access, command]));
  const named = [...new Set(commands.flatMap(passedWords))];
  const listed = commands.flatMap(listedFileWords);
  return mostSevere(
    [...accesses].flatMap(([access, command]) => [
      ...listed.map(({ found, text }) => {
        const use = { access, actor: displayCommand(command), locations, cwds: command.cwds, protect: [] };
        return found === undefined ? judgePath(text, use) : judgeFoundFiles(found, use);
      }),
      ...named.map((text) =>
        judgePath(text, {
          access,
          actor: displayCommand(command),
          locations,
          cwds: command.cwds,
          protect: [],
        }),
      ),
    ]),
  );
}

/** Words that a command prints or passes to a function. */
function passedWords(command: ShellCommand): readonly string[] {
  const isPassed =
    command.isOwnFunction ||
    /^(?:echo|printf|read|mapfile|readarray|set|declare|local|export)$/.test(command.name);
  const words = isPassed ? command.args.map((word) => word.text.replace(/^\w+=/, "")) : [];
  const stdinTexts = command.redirects.flatMap((each) => each.text ?? []);
  return [...words, ...stdinTexts.flatMap((text) => text.split(/\s+/))].filter((text) =>
    /^[^\s\0]{2,}$/.test(text),
  );
}

/** `cat $(echo .env)`: the command with a substitution replaced by its text, where that is plain. */
function withPrintedText(command: ShellCommand): readonly ShellCommand[] {
  const texts = command.substituted.flatMap(
    (each) => printedText(each)?.trim() ?? printedGitFolder(each) ?? [],
  );
  const fill = (word: ShellWord, text: string): ShellWord =>
    isKnown(word) ? word : { ...word, text: word.text.replaceAll(UNKNOWN, () => text) };
  return texts.map((text) => ({
    ...command,
    args: command.args.map((word) => fill(word, text)),
    redirects: command.redirects.map((each) => ({
      ...each,
      target: each.target === null ? null : fill(each.target, text),
    })),
  }));
}
