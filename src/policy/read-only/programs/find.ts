import type { Locations } from "../../locations.ts";
import type { ShellCommand, ShellWord } from "../../shell/shell-reading.ts";
import { matchesKind } from "../check-words.ts";
import type { WordKind } from "../grammar.ts";

/** Predicates without a value. */
const WITHOUT_VALUE =
  /^(?:-(?:H|P|O[0-3]|a|and|o|or|not|print|print0|ls|prune|quit|true|false|empty|depth|d|mount|xdev|daystart|nouser|nogroup|readable|writable|executable|noleaf|ignore_readdir_race|warn|nowarn|help|version)|[()!,])$/;

const NUMBER = /^[-+]?\d{1,9}(?:\.\d+)?[smhdw]?$/;
const VALUES: readonly (readonly [RegExp, WordKind])[] = [
  [/^-(?:i?name|i?path|i?wholename|i?regex|i?lname|printf)$/, "text"],
  [/^-regextype$/, /^[a-z-]{1,20}$/],
  [/^-x?type$/, /^[bcdpflsD](?:,[bcdpflsD])*$/],
  [/^-(?:[acm](?:time|min)|used|links|inum|uid|gid|maxdepth|mindepth)$/, NUMBER],
  [/^-size$/, /^[-+]?\d{1,12}[bcwkMGTP]?$/],
  [/^-perm$/, /^[-/]?[\dugoarwxst=+,-]{1,20}$/],
  [/^-(?:user|group)$/, /^[\w.-]{1,40}$/],
  [/^-fstype$/, /^[\w.-]{1,20}$/],
  [/^-(?:[ac]?newer|newer[aBcm]{2}|samefile)$/, "name"],
  [/^-newer[aBcm]t$/, "text"],
];

/** `find` with tests that only inspect. What it starts with `-exec` is judged as a command of its own. */
export function isReadOnlyFind(command: ShellCommand, locations: Locations): boolean {
  const { args } = command;
  let isPath = true;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (isPath && !/^[-(!,)]/.test(word.text)) {
      if (!matchesKind(word, "name", command, locations)) return false;
      continue;
    }
    if (!/^-(?:H|P|O[0-3])$/.test(word.text)) isPath = false;
    if (word.text === "-exec") {
      const end = endOfExec(args, at);
      if (end < 0) return false;
      at = end;
      continue;
    }
    if (word.isGlob) return false;
    if (WITHOUT_VALUE.test(word.text)) continue;
    const kind = VALUES.find(([name]) => name.test(word.text))?.[1];
    const value = args[++at];
    // A preceding glob without matches may disappear, and then this is a word of its own.
    if (typeof kind === "string" && value?.text.startsWith("-")) return false;
    if (kind === undefined || value === undefined || !matchesKind(value, kind, command, locations))
      return false;
  }
  return true;
}

function endOfExec(args: readonly ShellWord[], from: number): number {
  for (let at = from + 1; at < args.length; at++) {
    const { text, isSplit } = args[at]!;
    if (isSplit) return -1;
    if (text === ";" || (text === "+" && args[at - 1]?.text === "{}")) return at;
  }
  return -1;
}
