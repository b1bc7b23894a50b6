import { namesFound } from "./find-names.ts";
import { literalWord, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";

interface FoundCommand {
  readonly words: readonly ShellWord[];
  /** Whether `find` chooses among what it finds. */
  readonly isNarrowed: boolean;
}

const STARTS = /^-(?:exec|execdir|ok|okdir)$/;
const FD_STARTS = /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/;
const NARROWS =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|[acm]?(?:time|min)|newer\w*|size|empty|user|group|perm|links|inum|samefile|fstype|nouser|nogroup|used)$/;
const NAMES = /^-i?(?:name|path|wholename)$/;

/** Where `find` looks: what stands before the first of its tests. */
export function foldersOfFind(args: readonly ShellWord[]): readonly ShellWord[] {
  const rest = args.slice(args.findLastIndex((word) => /^-(?:[HLP]|O\d)$/.test(word.text)) + 1);
  const end = rest.findIndex((word) => /^(?:-.|[(!,])/.test(word.text));
  const folders = end < 0 ? rest : rest.slice(0, end);
  return folders.length === 0 ? [literalWord(".")] : folders;
}

export function narrows(args: readonly ShellWord[]): boolean {
  return args.some((word) => NARROWS.test(word.text));
}

/** What `find` finds: everything below where it looks, and the names it looks for. */
export function foundBy(args: readonly ShellWord[]): readonly ShellWord[] {
  return foundAs(args, namesFound(args).printed);
}

function foundAs(args: readonly ShellWord[], found: readonly string[] | null): readonly ShellWord[] {
  const names = args.flatMap((word, at) => (NAMES.test(args[at - 1]?.text ?? "") ? [word.text] : []));
  return below(foldersOfFind(args), names, found);
}

function below(
  folders: readonly ShellWord[],
  names: readonly string[],
  found: readonly string[] | null,
): readonly ShellWord[] {
  return folders.flatMap((folder) =>
    ["*", ...names].map((name) => ({
      ...folder,
      text: `${folder.text.replace(/\/+$/, "")}/${name.replace(/^[*/]+\//, "")}`,
      shown: "{}",
      isGlob: /[*?[]/.test(name),
      found: { folder: folder.text, names: found },
    })),
  );
}

/** `fd` has a pattern first, and then folders. */
function foundByFd(args: readonly ShellWord[]): FoundCommand {
  const end = args.findIndex((word) => FD_STARTS.test(word.text));
  const own = end < 0 ? args : args.slice(0, end);
  const operands = own.filter((word) => !word.text.startsWith("-"));
  const [pattern, ...folders] = operands;
  const isNarrowed =
    !/^(?:\.|\.\*|\^|)$/.test(pattern?.text ?? "") || own.some((word) => /^(?:-e|--ext)/.test(word.text));
  const names = isNarrowed && pattern !== undefined ? [pattern.text.replace(/^\^|\$$|\\/g, "")] : [];
  const folder = folders.length > 0 ? folders : [literalWord(".")];
  const words = below(folder, names, null).map((word) => ({
    ...word,
    found: { ...word.found!, isBare: true },
  }));
  return { words, isNarrowed };
}

/** The commands that `find -exec` starts; what it found stands in them as everything below where it looks. */
export function commandsOfFind(args: readonly ShellWord[], isFd: boolean): readonly FoundCommand[] {
  const started: FoundCommand[] = [];
  const names = isFd ? undefined : namesFound(args);
  const isPlace = (text: string): boolean => (isFd ? /^\{(?:\/?\/?|\.|\/\.)\}$/.test(text) : text === "{}");
  for (let at = 0; at < args.length; at++) {
    if (!(isFd ? FD_STARTS : STARTS).test(args[at]!.text)) continue;
    const found = isFd
      ? foundByFd(args)
      : { words: foundAs(args, names?.started.get(at) ?? null), isNarrowed: narrows(args) };
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (word, n) => word.text === ";" || (word.text === "+" && rest[n - 1]?.text === "{}"),
    );
    const words = end < 0 ? rest : rest.slice(0, end);
    const appended = isFd && !words.some((word) => word.text.includes("{")) ? [literalWord("{}")] : [];
    started.push({
      words: [...words, ...appended].flatMap((word) =>
        isPlace(word.text)
          ? found.words
          : word.text.includes("{}")
            ? found.words.map((each) => ({
                ...word,
                text: word.text.replaceAll("{}", () => each.text),
                isSplit: true,
              }))
            : [word],
      ),
      isNarrowed: found.isNarrowed,
    });
    at += words.length;
  }
  return started;
}

/** Commands that print names of files below where they are. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  git: /^(?:ls-files|--name-only|-l|--files-with-matches)$/,
  rg: /^(?:--files|-[a-zA-Z]*l|--files-with-matches)$/,
  grep: /^-[a-zA-Z]*l[a-zA-Z]*$/,
  ls: /^/,
};

/** The words that a pipe gives to `xargs`, where they are names of files; undefined where nobody knows. */
export function wordsPrinted(from: readonly ShellCommand[]): readonly ShellWord[] | undefined {
  const [source] = from;
  if (source === undefined || from.length !== 1 || source.cwds.length !== 1) return undefined;
  if (source.name === "find")
    return source.args.some((word) => /^-(?:f?printf|fls|ls)/.test(word.text))
      ? undefined
      : foundBy(source.args);
  if (source.name === "fd" || source.name === "fdfind") return foundByFd(source.args).words;
  const listed = source.args.filter((word) => !word.text.startsWith("-"));
  if (source.name === "ls" && listed.length > 0) return listed;
  const isListing =
    /^(?:grep|rg)$/.test(source.name) && source.args.some((word) => PRINTS[source.name]!.test(word.text));
  const folders = listed.slice(source.args.some((word) => word.text === "--files") ? 0 : 1);
  if (
    isListing &&
    folders.length > 0 &&
    folders.every((word) => /^\.?[\w][\w./-]*$/.test(word.text) && !word.text.includes(".."))
  )
    return [...folders, ...below(folders, [], null)];
  const prints = Object.hasOwn(PRINTS, source.name) ? PRINTS[source.name] : undefined;
  const isHere =
    prints !== undefined &&
    (source.name === "ls" || source.args.some((word) => prints.test(word.text))) &&
    source.args.every((word) => !/^[/~]|\.\.|-C|=/.test(word.text) && !word.text.includes(UNKNOWN));
  return isHere
    ? [{ ...literalWord("./*"), isGlob: true, found: { folder: ".", names: null, isBare: true } }]
    : undefined;
}

export function printsNarrowed(from: readonly ShellCommand[]): boolean {
  const [source] = from;
  if (source === undefined || from.length !== 1) return false;
  if (source.name === "fd" || source.name === "fdfind") return foundByFd(source.args).isNarrowed;
  return source.name === "find" && narrows(source.args);
}
