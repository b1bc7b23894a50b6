import { withoutTrailingSlashes } from "../path-glob.ts";
import { giveUp } from "../work.ts";
import { globFromRegex, namesPassedByFind, searchGlobsOf } from "./find-names.ts";
import {
  type FoundFiles,
  literalWord,
  type SearchGlob,
  type ShellCommand,
  type ShellWord,
  UNKNOWN,
} from "./shell-reading.ts";

interface FoundCommand {
  readonly words: readonly ShellWord[];
  /** Whether `find` filters what it finds. */
  readonly isNarrowed: boolean;
  /** What it found, where that is only part of a word. */
  readonly inner: readonly ShellWord[];
}

/** More than a script may have: past this, it is not scanned. */
const MAX_FOUND_WORDS = 3_000;
const EXEC_OPTION = /^-(?:exec|execdir|ok|okdir)$/;
const FD_EXEC_OPTION = /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/;
const FILTER_OPTION =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|[acm]?(?:time|min)|newer\w*|size|empty|user|group|perm|links|inum|samefile|fstype|nouser|nogroup|used)$/;
const NAME_OPTION = /^-i?(?:name|path|wholename)$/;

/** Where `find` searches: the words before its first test. */
export function foldersOfFind(args: readonly ShellWord[]): readonly ShellWord[] {
  const rest = args.slice(args.findLastIndex((word) => /^-(?:[HLP]|O\d)$/.test(word.text)) + 1);
  const end = rest.findIndex((word) => /^(?:-.|[(!,])/.test(word.text));
  const folders = end < 0 ? rest : rest.slice(0, end);
  return folders.length === 0 ? [literalWord(".")] : folders;
}

export function narrowsFind(args: readonly ShellWord[]): boolean {
  return args.some((word) => FILTER_OPTION.test(word.text));
}

/** What `find` finds: everything below its folders, and the names it searches for. */
export function wordsFoundByFind(args: readonly ShellWord[]): readonly ShellWord[] {
  return wordsFoundAs(args, namesPassedByFind(args).printed);
}

function wordsFoundAs(args: readonly ShellWord[], found: readonly string[] | null): readonly ShellWord[] {
  const names = args.flatMap((word, at) => (NAME_OPTION.test(args[at - 1]?.text ?? "") ? [word.text] : []));
  const searchGlobs = searchGlobsOf(args);
  const regexes = searchGlobs.flat().flatMap(({ of, glob }) => (of === "path" ? [glob] : []));
  return wordsBelow(foldersOfFind(args), [...new Set([...names, ...regexes])], found, searchGlobs);
}

function wordsBelow(
  folders: readonly ShellWord[],
  names: readonly string[],
  found: readonly string[] | null,
  searches: FoundFiles["searches"],
): readonly ShellWord[] {
  const words: ShellWord[] = [];
  for (const folder of folders)
    for (const name of ["*", ...names]) {
      if (words.length >= MAX_FOUND_WORDS) giveUp();
      words.push({
        ...folder,
        text: `${withoutTrailingSlashes(folder.text)}/${name.replace(/^[*/]+\//, "")}`,
        display: "{}",
        isGlob: /[*?[]/.test(name),
        found: { folder: folder.text, names: found, ...(searches === undefined ? {} : { searches }) },
      });
    }
  return words;
}

/** `fd` takes a pattern first, then folders. */
function foundByFd(args: readonly ShellWord[]): Pick<FoundCommand, "words" | "isNarrowed"> {
  const end = args.findIndex((word) => FD_EXEC_OPTION.test(word.text));
  const ownArgs = end < 0 ? args : args.slice(0, end);
  const operands = ownArgs.filter(
    (word, at) => !word.text.startsWith("-") && !FD_OPTION_WITH_VALUE.test(ownArgs[at - 1]?.text ?? ""),
  );
  const [pattern, ...folders] = operands;
  const isNarrowed =
    !/^(?:\.|\.\*|\^|)$/.test(pattern?.text ?? "") || ownArgs.some((word) => /^(?:-e|--ext)/.test(word.text));
  const names = isNarrowed && pattern !== undefined ? [pattern.text.replace(/^\^|\$$|\\/g, "")] : [];
  const folder = folders.length > 0 ? folders : [literalWord(".")];
  const isGlob = ownArgs.some((word) => /^(?:-[a-zA-Z]*g|--glob|-F|--fixed-strings)/.test(word.text));
  const searchGlobs = names.map((name): readonly SearchGlob[] => [
    {
      of: ownArgs.some((word) => /^(?:-[a-zA-Z]*p|--full-path)$/.test(word.text)) ? "path" : "name",
      glob: isGlob ? name.toLowerCase() : `*${globFromRegex(pattern?.text ?? "")}*`,
    },
  ]);
  const words = wordsBelow(folder, names, null, searchGlobs.length > 0 ? searchGlobs : [[]]).map((word) => ({
    ...word,
    found: { ...word.found!, isBare: true },
  }));
  return { words, isNarrowed };
}

/** Options of `fd` whose value is the next word. */
const FD_OPTION_WITH_VALUE =
  /^(?:-[a-zA-Z]*[edtEScjoC]|--(?:extension|max-depth|min-depth|exact-depth|type|exclude|size|changed-within|changed-before|color|threads|owner|max-results|batch-size|base-directory|search-path|format|path-separator|and|ignore-file))$/;

/** The commands that `find -exec` starts; in them, its results are represented by everything below its folders. */
export function commandsOfFind(args: readonly ShellWord[], isFd: boolean): readonly FoundCommand[] {
  const started: FoundCommand[] = [];
  let total = 0;
  const names = isFd ? undefined : namesPassedByFind(args);
  const isPlaceholder = (text: string): boolean =>
    isFd ? /^\{(?:\/?\/?|\.|\/\.)\}$/.test(text) : text === "{}";
  for (let at = 0; at < args.length; at++) {
    if (total >= MAX_FOUND_WORDS) giveUp();
    if (!(isFd ? FD_EXEC_OPTION : EXEC_OPTION).test(args[at]!.text)) continue;
    const found = isFd
      ? foundByFd(args)
      : { words: wordsFoundAs(args, names?.started.get(at) ?? null), isNarrowed: narrowsFind(args) };
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (word, n) => word.text === ";" || (word.text === "+" && rest[n - 1]?.text === "{}"),
    );
    const words = end < 0 ? rest : rest.slice(0, end);
    const appended = isFd && !words.some((word) => word.text.includes("{")) ? [literalWord("{}")] : [];
    started.push({
      words: [...words, ...appended].flatMap((word) =>
        isPlaceholder(word.text)
          ? found.words
          : word.text.includes("{}")
            ? found.words.map((path) => ({
                ...word,
                text: word.text.replaceAll("{}", () => path.text),
                isGlob: path.isGlob,
                isSplit: true,
              }))
            : [word],
      ),
      isNarrowed: found.isNarrowed,
      inner: words.some((word) => word.text.includes("{}") && !isPlaceholder(word.text)) ? found.words : [],
    });
    total += started.at(-1)!.words.length;
    at += words.length;
  }
  return started;
}

/** Commands that print only names of files below their folder, if all their options are among these. */
const NAME_LISTERS: Readonly<Record<string, { readonly needs: RegExp; readonly options: RegExp }>> = {
  "git ls-files": {
    needs: /^/,
    options: /^(?:-[cmod]+|--(?:cached|modified|others|deleted|exclude-standard)|--)$/,
  },
  "git diff": { needs: /^--name-only$/, options: /^--(?:name-only|cached|staged)?$/ },
  "git grep": {
    needs: /^-[iwEFP]*l$|^--(?:files-with-matches|name-only)$/,
    options: /^-[iwEFPl]+$|^--(?:files-with-matches|name-only)?$/,
  },
  rg: {
    needs: /^--files$|^-[iwFSs]*l$|^--files-with-matches$/,
    options: /^-[iwFSsl]+$|^--(?:files|files-with-matches)?$/,
  },
  grep: { needs: /^-[rRiwEFPIs]*l[rRiwEFPIs]*$/, options: /^-[rRiwEFPIsl]+$|^--$/ },
  // Not `-a`, which also prints `..`.
  ls: { needs: /^/, options: /^-[A1rtSU]+$/ },
};

/** The words that a pipe passes to `xargs`, if they are file names; undefined where unknown. */
export function printedFileWords(from: readonly ShellCommand[]): readonly ShellWord[] | undefined {
  const [source, filter] = from;
  if (source !== undefined && filter !== undefined && from.length === 2) {
    const chosen = filteredFileWords(source, filter);
    return chosen.length === 0 ? undefined : [...chosen, literalWord(UNKNOWN)];
  }
  if (source === undefined || from.length !== 1 || source.cwds.length !== 1) return undefined;
  if (source.name === "find")
    return source.args.some((word) => /^-(?:f?printf|fls|ls)/.test(word.text))
      ? undefined
      : wordsFoundByFind(source.args);
  if (source.name === "fd" || source.name === "fdfind") return foundByFd(source.args).words;
  const [first, ...rest] = source.args;
  const isGit = source.name === "git";
  const name = isGit ? `git ${first?.text}` : source.name;
  const args = isGit ? rest : source.args;
  const prints = Object.hasOwn(NAME_LISTERS, name) ? NAME_LISTERS[name]! : undefined;
  // What `ls` prints of another folder are not names of files here.
  const isCurrentFolder =
    prints !== undefined &&
    (name === "ls" ? args.every((word) => word.text.startsWith("-")) : true) &&
    (prints.needs.test("") || args.some((word) => prints.needs.test(word.text))) &&
    args.every((word) => !word.text.startsWith("-") || prints.options.test(word.text)) &&
    args.every((word) => !/^[/~]|\.\./.test(word.text) && !word.text.includes(UNKNOWN));
  const named = filesNamedBy(source);
  if (isCurrentFolder)
    return [
      { ...literalWord("./*"), isGlob: true, found: { folder: ".", names: null, isBare: true } },
      ...named.filter((word) => isGit || word.found !== undefined),
    ];
  return named.length === 0 ? undefined : [...named, literalWord(UNKNOWN)];
}

/** `find ~ | grep token`: the listed paths that match. */
function filteredFileWords(source: ShellCommand, filter: ShellCommand): readonly ShellWord[] {
  const pattern = /^(?:[ef]?grep|rg|ag|ack)$/.test(filter.name)
    ? filter.args.find((word) => !word.text.startsWith("-"))
    : undefined;
  if (pattern === undefined || filter.args.some((word) => /^-[a-zA-Z]*v/.test(word.text))) return [];
  const searches: FoundFiles["searches"] = [[{ of: "path", glob: `*${globFromRegex(pattern.text)}*` }]];
  return listedFolders(source).map((folder) => ({
    ...folder,
    text: `${withoutTrailingSlashes(folder.text)}/*`,
    isGlob: true,
    found: { folder: folder.text, names: null, isBare: true, searches },
  }));
}

function listedFolders({ name, args }: ShellCommand): readonly ShellWord[] {
  if (name === "find") return foldersOfFind(args);
  const isListing =
    /^(?:ls|fd|fdfind|tree|locate)$/.test(name) ||
    (name === "rg" && args.some((word) => word.text === "--files")) ||
    (name === "git" && args[0]?.text === "ls-files");
  if (!isListing) return [];
  const folders = args.filter((word) => /^[~./]/.test(word.text));
  return folders.length === 0 ? [literalWord(".")] : folders;
}

/** The files that a command lists for others, by its search. */
export function listedFileWords(command: ShellCommand): readonly ShellWord[] {
  if (command.name === "find") return wordsFoundByFind(command.args);
  if (command.name === "fd" || command.name === "fdfind") return foundByFd(command.args).words;
  if (command.name === "git") return filesNamedBy(command);
  const [source] = command.pipedFrom;
  return source === undefined || command.pipedFrom.length !== 1 ? [] : filteredFileWords(source, command);
}

/** The files that a listing names, for what is done to them; it may print others too. */
function filesNamedBy({ name, args }: ShellCommand): readonly ShellWord[] {
  const listed = args.filter((word) => !word.text.startsWith("-"));
  if (name === "ls") return listed;
  if (name === "git") {
    const folders = listedByGit(args);
    return [...folders, ...wordsBelow(folders, [], null, undefined)];
  }
  if (!/^(?:grep|rg)$/.test(name) || !args.some((word) => /^-[a-zA-Z]*l|^--files/.test(word.text))) return [];
  const folders = listed.slice(args.some((word) => word.text === "--files") ? 0 : 1);
  return [...folders, ...wordsBelow(folders, [], null, undefined)];
}

/** The paths passed to `git ls-files`, `git grep -l` or `git diff --name-only`. */
function listedByGit(args: readonly ShellWord[]): readonly ShellWord[] {
  const verb = args[0]?.text ?? "";
  const prints = Object.hasOwn(NAME_LISTERS, `git ${verb}`) ? NAME_LISTERS[`git ${verb}`]! : undefined;
  if (prints === undefined || !(prints.needs.test("") || args.some((word) => prints.needs.test(word.text))))
    return [];
  const end = args.findIndex((word) => word.text === "--");
  if (end >= 0) return args.slice(end + 1);
  const operands = args.slice(1).filter((word) => !word.text.startsWith("-"));
  // The first operand of `grep` is the pattern; those of `diff` may be revisions.
  return verb === "grep" ? operands.slice(1) : verb === "diff" ? [] : operands;
}

export function printsNarrowed(from: readonly ShellCommand[]): boolean {
  const [source] = from;
  if (source === undefined || from.length !== 1) return false;
  if (source.name === "fd" || source.name === "fdfind") return foundByFd(source.args).isNarrowed;
  return source.name === "find" && narrowsFind(source.args);
}
