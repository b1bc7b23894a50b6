import { secretKey } from "../privacy/secret-keys.ts";
import { isInWorkspace, type Places } from "./places.ts";
import {
  isListingTar,
  isReadOnlyAwk,
  isReadOnlyGit,
  isReadOnlyJq,
  isReadOnlyYq,
} from "./read-only-programs.ts";
import { isReadOnlySed } from "./read-only-sed.ts";
import { isReadOnlyTool, TOOL_NAMES } from "./read-only-tools.ts";
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

const setsNothing = (texts: readonly string[]): boolean =>
  texts.every((text) => !changesCommands(/^\w*/.exec(text)![0]));

const TABLE: ReadonlyMap<string, Looks> = new Map<string, Looks>([
  ...all(
    "ls cat head tail wc nl tac rev cut paste join comm cmp fold fmt expand unexpand column od hexdump strings stat du df realpath readlink basename dirname md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum cd pushd zcat nm readelf objdump bc colordiff",
    { words: "paths" },
  ),
  ["base64", { words: "paths", never: /^-[a-zA-Z]*o|^--out/ }],
  ["less", { words: "paths", never: /^\+|^-[a-zA-Z]*[oOkTtp]|^--(?:log|LOG|lesskey|tag|pattern|cmd)/ }],
  ["more", { words: "paths", never: /^\+|^-[a-z]*p/ }],
  ...all("bat batcat", { words: "paths", never: /^--(?:pager|generate|diagnostic)|^(?:cache)$/ }),
  ["man", { words: "text", never: /^-/ }],
  ...all("grep egrep fgrep", { words: "pattern first" }),
  ["rg", { words: "pattern first", never: /^--(?:pre|hostname-bin|search-zip)|^-[a-zA-Z]*z/ }],
  ["fd", { words: "pattern first", never: /^-[a-zA-Z]*[xX]|^--(?:exec|search-path|base-dir)/ }],
  // What it starts stands in the list of commands itself.
  ["find", { words: "paths", never: /^-(?:delete|fprint|fls|files0)/ }],
  ["sort", { words: "paths", never: /^-[^-]*[oT]|^--(?:o|co|t|fi)/ }],
  ["uniq", { words: "paths", mostOperands: 1 }],
  ["xxd", { words: "paths", mostOperands: 1, never: /^-[a-z]*r/ }],
  ["diff", { words: "paths", never: /^-[a-zA-Z]*l|^--pag/ }],
  ["file", { words: "paths", never: /^-[a-zA-Z]*[Cmf]|^--(?:com|mag|fil)/ }],
  ["tree", { words: "paths", never: /^-[a-zA-Z]*o|^--out/ }],
  ["tar", { words: "paths", check: isListingTar }],
  [
    "unzip",
    { words: "paths", check: (texts) => /^-(?:l|v|Z1?)$/.test(texts[0] ?? "") && texts.length === 2 },
  ],
  ["sed", { words: "pattern first", check: isReadOnlySed }],
  ...all("awk gawk mawk nawk", { words: "pattern first", check: isReadOnlyAwk }),
  ["jq", { words: "pattern first", check: isReadOnlyJq }],
  ["yq", { words: "pattern first", check: isReadOnlyYq }],
  ["git", { words: "paths", check: isReadOnlyGit }],
  ...TOOL_NAMES.flatMap((name) =>
    all(name, { words: "none", check: (texts) => isReadOnlyTool(name, texts) }),
  ),
  ...all(
    "echo true false : test [ [[ sleep seq expr tr pwd which type command whereis exit return break continue wait shift popd factor cal jobs",
    { words: "text" },
  ),
  ["printf", { words: "text", never: /^-v/ }],
  ...all("read let unset", { words: "text", check: setsNothing }),
  [
    "printenv",
    {
      words: "text",
      check: (texts) => texts.length > 0 && texts.every((text) => secretKey(text) === undefined),
    },
  ],
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
    "shopt",
    {
      words: "text",
      check: (texts) =>
        texts.every((text) =>
          /^(?:-[su]|globstar|nullglob|failglob|extglob|nocaseglob|nocasematch)$/.test(text),
        ),
    },
  ],
  [
    "ps",
    {
      words: "text",
      check: (texts) => texts.every((text) => !(text.startsWith("-") ? /^-[a-zA-Z]*E/ : /e/).test(text)),
    },
  ],
  ["hostname", { words: "none", never: /^-[a-zA-Z]*[Fb]|^--(?:f|b)/ }],
  ...all("ulimit umask history hash", {
    words: "none",
    check: (texts) => /^(?:-a|-S|)$/.test(texts.join(" ")),
  }),
  ...all(
    "whoami id groups uname uptime nproc arch free tty locale lscpu logname pgrep pidof lsof ss netstat lsblk who w last vmstat getconf sw_vers lsb_release",
    { words: "text" },
  ),
  ...all("export declare local readonly typeset", {
    words: "text",
    check: (texts) =>
      texts.some((text) => !text.startsWith("-")) &&
      texts.every((text) => /^-[aAilrugx]+$/.test(text) || (/^\w+(?:=|$)/.test(text) && setsNothing([text]))),
  }),
]);

/** Whether a program is there to look, whatever its options do. */
export function looksOnly(name: string): boolean {
  const looks = TABLE.get(name);
  return looks !== undefined && looks.words !== "none";
}

/** Variables that change what other commands do. */
const CHANGES =
  /^(?:PATH|IFS|ENV|HOME|CDPATH|SHELL|SHELLOPTS|BASHOPTS|BASH_ENV|PROMPT_COMMAND|PS4|EDITOR|VISUAL|BROWSER|PAGER|.*_PAGER|MANPAGER|LESS.*|LD_.*|DYLD_.*|GIT_.*|NODE_.*|NPM_.*|npm_.*|PYTHON.*|RUBY.*|PERL.*|JAVA_.*|_JAVA.*|JDK_.*|GREP_.*|RIPGREP_.*|TAR_OPTIONS|GCONV_PATH|.*_PRELOAD|.*_OPTIONS|.*PROXY)$/i;

export function changesCommands(variable: string): boolean {
  return CHANGES.test(variable);
}

/** Whether a command only looks, and only inside the workspace. */
export function isReadOnly(command: ShellCommand, places: Places): boolean {
  if (command.unread !== null || command.assigns.some(changesCommands)) return false;
  if (!command.wrappers.every((name) => isHarmlessWrapper(name, command))) return false;
  if (!onlyHarmlessRedirects(command, (text) => isInWorkspace(text, places, command.cwds))) return false;
  if (command.redirects.some((each) => each.variables.some(isSecretVariable))) return false;
  if (command.name === "" || command.isOwnFunction) return true;
  if (command.path.includes("/") && !/^\/(?:usr\/)?bin\/[^/]+$/.test(command.path)) return false;
  const looks = TABLE.get(command.name);
  if (looks === undefined || command.args.some((word) => looks.never?.test(word.text))) return false;
  const texts = command.args.map((word) => word.text);
  if (looks.check !== undefined && !(command.args.every(isKnown) && looks.check(texts))) return false;
  return tellsOnlyWhatItMay(command, looks, places);
}

/** They tell about files, not what is in them. */
const COUNTS = new Set("ls wc stat du file basename dirname realpath echo".split(" "));

/** What `find` finds may be anything, unless a name says what: then it is looked at as that. */
function isHarmlessWrapper(name: string, command: ShellCommand): boolean {
  if (SHELLS.has(name)) return true;
  if (name !== "xargs" && name !== "find")
    return Object.hasOwn(WRAPPERS, name) && WRAPPERS[name]!.isHarmless === true;
  if (!command.args.every(isKnown)) return false;
  const isNamed = command.args.some((word) => word.shown === "{}" && !word.text.endsWith("/*"));
  return COUNTS.has(command.name) || (command.isNarrowed && isNamed);
}

/** Whether nothing is written but to nowhere. `mayRead` is for what is read by `<`. */
export function onlyHarmlessRedirects(command: ShellCommand, mayRead: (text: string) => boolean): boolean {
  return command.redirects.every(({ operator, target }) => {
    if (target === null || target.text === "/dev/null") return true;
    if (operator.endsWith("&") && /^(?:\d|-)$/.test(target.text)) return true;
    return operator === "<" && (target.isProcess || (isKnown(target) && mayRead(target.text)));
  });
}

const OF_EVERYBODY =
  /^(?:-|\/dev\/(?:null|stdin|zero)|\/etc\/(?:os-release|debian_version)|\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime))$/;

function isSecretVariable(name: string): boolean {
  return name === ANY_VARIABLE || secretKey(name) !== undefined;
}

function tellsOnlyWhatItMay(command: ShellCommand, looks: Looks, places: Places): boolean {
  if (looks.words === "text")
    return command.args.every(
      (word) =>
        !word.variables.some(isSecretVariable) &&
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
    OF_EVERYBODY.test(text) || isInWorkspace(text, places, command.cwds);
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
