import { secretKey } from "../privacy/secret-keys.ts";
import { isInWorkspace, type Places } from "./places.ts";
import {
  isReadOnlyAwk,
  isReadOnlyGit,
  isReadOnlyJq,
  isReadOnlyPackages,
  isReadOnlySed,
} from "./read-only-programs.ts";
import { ANY_VARIABLE, isKnown, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";
import { SHELLS, WRAPPERS } from "./shell/wrappers.ts";

/** Commands that only look, and options with which even they do not. */
interface Looks {
  readonly words: "paths" | "text" | "pattern first" | "none";
  readonly never?: RegExp;
  readonly mostOperands?: number;
  readonly check?: (texts: readonly string[]) => boolean;
}

const all = (names: string, looks: Looks): readonly (readonly [string, Looks])[] =>
  names.split(" ").map((name) => [name, looks] as const);

const TABLE: ReadonlyMap<string, Looks> = new Map<string, Looks>([
  ...all(
    "ls cat head tail wc nl tac rev cut paste join comm cmp fold fmt expand unexpand column od hexdump strings stat du df realpath readlink basename dirname md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base64 cd pushd",
    { words: "paths" },
  ),
  ...all("grep egrep fgrep", { words: "pattern first" }),
  ["rg", { words: "pattern first", never: /^--(?:pre|hostname-bin|search-zip)|^-[a-zA-Z]*z/ }],
  ["fd", { words: "pattern first", never: /^-[a-zA-Z]*[xX]|^--exec/ }],
  ["find", { words: "paths", never: /^-(?:exec|ok|delete|fprint|fls|files0)/ }],
  ["sort", { words: "paths", never: /^-[^-]*[oT]|^--(?:o|co|t|fi)/ }],
  ["uniq", { words: "paths", mostOperands: 1 }],
  ["xxd", { words: "paths", mostOperands: 1, never: /^-[a-z]*r/ }],
  ["diff", { words: "paths", never: /^-[a-zA-Z]*l|^--pag/ }],
  ["file", { words: "paths", never: /^-[a-zA-Z]*[Cmf]|^--(?:com|mag|fil)/ }],
  ["tree", { words: "paths", never: /^-[a-zA-Z]*o|^--out/ }],
  ["sed", { words: "pattern first", check: isReadOnlySed }],
  ...all("awk gawk mawk nawk", { words: "pattern first", check: isReadOnlyAwk }),
  ["jq", { words: "pattern first", check: isReadOnlyJq }],
  ["git", { words: "paths", check: isReadOnlyGit }],
  ...all(
    "npm pnpm yarn node npx bun deno python python3 pip pip3 ruby gem go cargo rustc java javac tsc gcc g++ clang make cmake docker claude php perl",
    { words: "none", check: isReadOnlyPackages },
  ),
  ...all(
    "echo printf true false : test [ [[ sleep seq expr tr pwd which type command whereis exit return break continue wait shift read",
    {
      words: "text",
    },
  ),
  ["date", { words: "text", never: /^-[a-zA-Z]*[sf]|^--(?:s|f)|^\d/ }],
  [
    "set",
    {
      words: "text",
      check: (texts) =>
        texts.length > 0 && texts.every((text) => /^[-+][euxvo]/.test(text) || text === "pipefail"),
    },
  ],
  [
    "ps",
    { words: "text", check: (texts) => texts.every((text) => text.startsWith("-") || !text.includes("e")) },
  ],
  ["hostname", { words: "none" }],
  ...all("whoami id groups uname uptime nproc arch free tty locale lscpu logname", { words: "text" }),
  ...all("export declare local readonly typeset", {
    words: "text",
    check: (texts) =>
      texts.length > 0 && texts.every((text) => /^\w+=/.test(text) && !changesCommands(text.split("=")[0]!)),
  }),
]);

/** Variables that change what other commands do. */
const CHANGES =
  /^(?:PATH|IFS|ENV|HOME|CDPATH|SHELL|SHELLOPTS|BASHOPTS|BASH_ENV|PROMPT_COMMAND|PS4|EDITOR|VISUAL|BROWSER|PAGER|.*_PAGER|MANPAGER|LESS.*|LD_.*|DYLD_.*|GIT_.*|NODE_.*|NPM_.*|npm_.*|PYTHON.*|RUBY.*|PERL.*|JAVA_.*|_JAVA.*|JDK_.*|GREP_.*|RIPGREP_.*|TAR_OPTIONS|GCONV_PATH|.*_PRELOAD|.*_OPTIONS|.*PROXY)$/i;

export function changesCommands(variable: string): boolean {
  return CHANGES.test(variable);
}

/** Whether a command only looks, and only inside the workspace. */
export function isReadOnly(command: ShellCommand, places: Places): boolean {
  if (command.unread !== null || command.assigns.some(changesCommands)) return false;
  if (!command.wrappers.every((name) => SHELLS.has(name) || WRAPPERS[name]?.isHarmless)) return false;
  if (!onlyHarmlessRedirects(command, (text) => isInWorkspace(text, places, command.cwds))) return false;
  if (command.name === "" || command.isOwnFunction) return true;
  if (command.path.includes("/") && !/^\/(?:usr\/)?bin\/[^/]+$/.test(command.path)) return false;
  const looks = TABLE.get(command.name);
  if (looks === undefined || command.args.some((word) => looks.never?.test(word.text))) return false;
  const texts = command.args.map((word) => word.text);
  if (looks.check !== undefined && !(command.args.every(isKnown) && looks.check(texts))) return false;
  return tellsOnlyWhatItMay(command, looks, places);
}

/** Whether nothing is written but to nowhere. `mayRead` is for what is read by `<`. */
export function onlyHarmlessRedirects(command: ShellCommand, mayRead: (text: string) => boolean): boolean {
  return command.redirects.every(({ operator, target }) => {
    if (target === null || target.text === "/dev/null") return true;
    if (operator.endsWith("&") && /^(?:\d|-)$/.test(target.text)) return true;
    return operator === "<" && (target.isProcess || (isKnown(target) && mayRead(target.text)));
  });
}

function tellsOnlyWhatItMay(command: ShellCommand, looks: Looks, places: Places): boolean {
  if (looks.words === "text")
    return command.args.every(
      (word) =>
        word.variables.every((name) => name !== ANY_VARIABLE && secretKey(name) === undefined) &&
        (!word.isGlob || !isKnown(word) || isInWorkspace(word.text, places, command.cwds)),
    );
  if (looks.words === "none")
    return command.args.every((word) => looks.check !== undefined || word.text.startsWith("-"));
  if (command.name === "cd" && command.args.length === 0) return isInWorkspace("~", places);
  const operands = command.args.filter((word) => !/^-./.test(word.text));
  if (operands.length > (looks.mostOperands ?? Number.POSITIVE_INFINITY)) return false;
  // A pattern is not known to be one where an option takes the next word; then it is looked at as a path, too.
  const pattern = looks.words === "pattern first" && !hasPatternOption(command) ? operands[0] : undefined;
  const mayLookAt = (text: string): boolean =>
    /^(?:-|\/dev\/(?:null|stdin|zero))$/.test(text) || isInWorkspace(text, places, command.cwds);
  return (
    command.cwds.every((cwd) => isInWorkspace(cwd, places)) &&
    command.args.every(
      (word) => word === pattern || word.isProcess || (isKnown(word) && pathsIn(word).every(mayLookAt)),
    )
  );
}

function hasPatternOption(command: ShellCommand): boolean {
  return command.args.some((word) =>
    /^(?:-[a-zA-Z]*[ef]|--regexp|--file|--expression|--files)(?:=|$)/.test(word.text),
  );
}

/** What of a word may be a path: itself, or what is attached to an option. */
function pathsIn(word: ShellWord): readonly string[] {
  if (!/^-./.test(word.text)) return [word.text];
  const value = /^--?[\w-]+=(.*)$/s.exec(word.text)?.[1] ?? /^-[a-zA-Z]+([/~.].*)$/s.exec(word.text)?.[1];
  return value === undefined ? [] : [value];
}
