import { literalWord, type ShellWord, UNKNOWN } from "./shell-reading.ts";

interface FoundCommand {
  readonly words: readonly ShellWord[];
  /** Whether `find` chooses among what it finds. */
  readonly isNarrowed: boolean;
}

const STARTS = /^-(?:exec|execdir|ok|okdir)$|^(?:-x|-X|--exec|--exec-batch)$/;
const NARROWS =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|[acm]?(?:time|min)|newer\w*|size|empty|user|group|perm|links|inum|samefile|fstype|nouser|nogroup|used)$/;

/** Where `find` looks: what stands before the first of its tests. */
export function foldersOfFind(args: readonly ShellWord[]): readonly ShellWord[] {
  const rest = args.slice(args.findLastIndex((word) => /^-[HLP]$/.test(word.text)) + 1);
  const end = rest.findIndex((word) => /^(?:-.|[(!,])/.test(word.text));
  const folders = end < 0 ? rest : rest.slice(0, end);
  return folders.length === 0 ? [literalWord(".")] : folders;
}

export function narrows(args: readonly ShellWord[]): boolean {
  return args.some((word) => NARROWS.test(word.text));
}

/** The commands that `find -exec` starts; what it found stands in them as everything below where it looks. */
export function commandsOfFind(args: readonly ShellWord[]): readonly FoundCommand[] {
  const found: FoundCommand[] = [];
  const isNarrowed = narrows(args);
  const below = foldersOfFind(args).map((word) => ({
    ...word,
    text: `${word.text.replace(/\/+$/, "")}/*`,
    shown: "{}",
    isGlob: true,
  }));
  for (let at = 0; at < args.length; at++) {
    if (!STARTS.test(args[at]!.text)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (word, n) => word.text === ";" || (word.text === "+" && rest[n - 1]?.text === "{}"),
    );
    const words = end < 0 ? rest : rest.slice(0, end);
    const isFd = !args[at]!.text.startsWith("-exec") && !args[at]!.text.startsWith("-ok");
    const appended = isFd && !words.some((word) => word.text.includes("{")) ? [literalWord(UNKNOWN)] : [];
    found.push({
      words: [...words, ...appended].flatMap((word) =>
        word.text === "{}"
          ? below
          : word.text.includes("{}")
            ? below.map((each) => ({ ...word, text: word.text.replaceAll("{}", () => each.text) }))
            : [word],
      ),
      isNarrowed,
    });
    at += words.length;
  }
  return found;
}
