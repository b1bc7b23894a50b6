import { giveUp } from "../work.ts";
import type { SearchGlob, ShellWord } from "./shell-reading.ts";

/** Globs that a name matches, in lower case; null where it may be any. */
type Names = readonly string[] | null;

/** What `find` passes on: to each command it starts, by the position of its `-exec`, and to its output. */
export interface FindNames {
  readonly started: ReadonlyMap<number, Names>;
  readonly printed: Names;
}

const OPTION_WITH_VALUE =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|[acm]?(?:time|min)|newer\w*|size|user|group|uid|gid|perm|links|inum|samefile|fstype|type|xtype|used|maxdepth|mindepth|regextype|printf|fprint0?|fls|context)$/;
const EXEC_OPTION = /^-(?:exec|execdir|ok|okdir)$/;
const PRINT_ACTION = /^-(?:print0?|printf|ls)$/;

/** The names of the files that pass a `find` expression to its actions. */
export function namesPassedByFind(args: readonly ShellWord[]): FindNames {
  const started = new Map<number, Names>();
  const printed: Names[] = [];
  let at = args.findIndex((word) => /^(?:-(?![HLP]$|O\d$).|[(!])/.test(word.text));
  if (at < 0) return { started, printed: null };

  /** One list up to its closing parenthesis: the names for which it is true. */
  function list(before: Names): Names {
    const alternatives: Names[] = [];
    let names = before;
    let isNegated = false;
    for (; at < args.length && args[at]!.text !== ")"; at++) {
      const text = args[at]!.text;
      if (text === "!" || text === "-not") {
        isNegated = !isNegated;
        continue;
      }
      if (text === "-o" || text === "-or" || text === ",") {
        alternatives.push(names);
        names = before;
      } else if (text === "(") {
        at++;
        const inner = list(names);
        if (!isNegated) names ??= inner;
      } else if (/^-i?name$/.test(text)) {
        const glob = args[++at]?.text.toLowerCase();
        if (!isNegated && glob !== undefined) names ??= [glob];
      } else if (EXEC_OPTION.test(text)) {
        started.set(at, names);
        at = endOfCommand(args, at);
      } else {
        if (PRINT_ACTION.test(text)) printed.push(names);
        if (OPTION_WITH_VALUE.test(text)) at++;
      }
      isNegated = false;
    }
    return unionOf([...alternatives, names]);
  }

  const result = list(null);
  return { started, printed: printed.length > 0 ? unionOf(printed) : result };
}

function unionOf(alternatives: readonly Names[]): Names {
  return alternatives.includes(null) ? null : alternatives.flatMap((names) => names ?? []);
}

function endOfCommand(args: readonly ShellWord[], from: number): number {
  for (let at = from + 1; at < args.length; at++) {
    const { text } = args[at]!;
    if (text === ";" || (text === "+" && args[at - 1]?.text === "{}")) return at;
  }
  return args.length;
}

const NAME_TEST = /^-i?(?:(name)|path|wholename|(regex))$/;

/** The name and path globs that `find` searches for, without those it excludes. */
export function searchGlobsOf(args: readonly ShellWord[]): readonly (readonly SearchGlob[])[] {
  const globs: SearchGlob[] = [];
  let branches = 1;
  for (const [at, { text }] of args.entries()) {
    if (/^(?:-o|-or|,)$/.test(text)) branches++;
    const [isTest, name, regex] = NAME_TEST.exec(text) ?? [];
    const value = args[at + 1]?.text.toLowerCase();
    if (isTest === undefined || value === undefined || /^(?:!|-not)$/.test(args[at - 1]?.text ?? ""))
      continue;
    if (
      args[at + 2]?.text === "-prune" ||
      (/^-a(?:nd)?$/.test(args[at + 2]?.text ?? "") && args[at + 3]?.text === "-prune")
    )
      continue;
    globs.push({
      of: name === undefined ? "path" : "name",
      glob: regex === undefined ? value : globFromRegex(value),
    });
  }
  if (branches === 1) return [globs];
  // Each of several branches may have one of them, or none at all.
  return [...globs.map((glob) => [glob]), ...(branches > globs.length ? [[]] : [])];
}

const MAX_REGEX_LENGTH = 500;

/** A glob that matches at least what a regular expression does. */
export function globFromRegex(regex: string): string {
  if (regex.length > MAX_REGEX_LENGTH) giveUp();
  const simple = regex
    .toLowerCase()
    .replace(/^\^|\$$/g, "")
    .replace(/\\?\((?:[^()\\]|\\[^()])*\\?\)[*+?]?|\{[^{}]*\}/g, ".*")
    .replace(/\\[wsdb<>][*+?]?/g, ".*");
  if (simple.includes("|")) return "*";
  return simple.replace(
    /\\(.)|(?:\.|\[[^\]]*\]|[^\\])[*+?]|\.|[^\\]/gs,
    (part, escaped: string | undefined) => {
      if (escaped !== undefined) return escaped;
      if (part.length > 1 && /[*+?]$/.test(part)) return "*";
      return part === "." ? "?" : part;
    },
  );
}
