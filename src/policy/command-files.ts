import { withoutEndSlashes } from "./path-glob.ts";
import { looksOnly } from "./read-only-commands.ts";
import { foundBy } from "./shell/find-commands.ts";
import { isKnown, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";

/** A file that a command names. `move`: it is taken away; `mode`: only who may use it changes. */
export interface CommandFile {
  readonly text: string;
  readonly isGlob: boolean;
  readonly access: "read" | "write" | "move" | "mode" | "either";
}

/** They look at names, never into files. */
const NAMES_ONLY = new Set(
  "echo printf ls ll stat test [ [[ : find fd fdfind basename dirname realpath readlink mkdir rmdir cd pushd popd pwd which type whereis command true false exit return export declare local readonly typeset unset alias kill sleep man file du df tree wc history set shift ps date id uname whoami jobs wait trap seq".split(
    " ",
  ),
);
const WRITE_ALL = new Set("tee touch truncate shred rm srm unlink rimraf mkfifo sponge".split(" "));
const CHANGE_MODE = new Set("chmod chown chgrp chattr setfacl".split(" "));
const COPY = new Set("cp mv ln install rsync scp ditto".split(" "));
/** The first operand is a pattern or a program, unless an option gave it. */
const PATTERN_FIRST: Readonly<Record<string, RegExp>> = {
  grep: /^(?:-[a-zA-Z]*[ef]|--regexp|--file)/,
  sed: /^(?:-[a-zA-Z]*[ef]|--expression|--file)/,
  awk: /^(?:-f|--file)/,
  jq: /^(?:-f|--from-file)/,
};
const LIKE: Readonly<Record<string, string>> = {
  egrep: "grep",
  fgrep: "grep",
  zgrep: "grep",
  rg: "grep",
  ag: "grep",
  ack: "grep",
  gsed: "sed",
  gawk: "awk",
  mawk: "awk",
  nawk: "awk",
  yq: "jq",
};
/** Their inline code is no file. */
const INLINE = /^(?:python[\d.]*|node|perl|ruby|php|bun|deno|lua|osascript)$/;
/** They change what they are given. */
const EDITORS = new Set("patch ed ex vi vim nvim view nano emacs micro pico".split(" "));
/** With these, other programs change what they are given. */
const IN_PLACE = /^(?:-i|-w|--write|--fix|--in-?place|--overwrite|--inplace=.*)$/;

/** Options whose value is a file or folder that is written, alone or as the last letter of several. */
const WRITE_OPTIONS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z#]*[oDc]|--output|--output-dir|--dump-header|--cookie-jar)$/,
  wget: /^(?:-[a-zA-Z]*[OoaP]|--output-document|--output-file|--append-output|--directory-prefix)$/,
  openssl: /^-(?:out|keyout)$/,
  "ssh-keygen": /^-f$/,
  tar: /^(?:-[a-zA-Z]*C|--directory|--one-top-level)$/,
  bsdtar: /^(?:-[a-zA-Z]*C|--directory)$/,
  unzip: /^-[a-zA-Z]*d$/,
  cpio: /^(?:-D|--directory)$/,
};
const ANY_WRITE_OPTION = /^(?:-o|--out|--outfile|--output|--out-?dir|--output-?dir)$/;
/** The same with the value attached. */
const ATTACHED =
  /^(?:--(?:out|outfile|output|out-?dir|output-?dir|output-document|directory|directory-prefix|one-top-level)=|-[oO](?=[./~])|-[dCP](?=[./~]))(.+)$/s;

/** Every file a command names, as far as its words show it. */
export function filesOf(command: ShellCommand): readonly CommandFile[] {
  return [...redirected(command), ...named(command)];
}

function redirected(command: ShellCommand): readonly CommandFile[] {
  return command.redirects.flatMap(({ operator, target }) => {
    if (target === null || target.isProcess) return [];
    if (operator.endsWith("&") && /^(?:\d+-?|-)$/.test(target.text)) return [];
    return [file(target, operator === "<" ? "read" : "write")];
  });
}

function named(command: ShellCommand): readonly CommandFile[] {
  const { name } = command;
  if (name === "find") return removedByFind(command);
  if (NAMES_ONLY.has(name) || command.isOwnFunction) return [];
  if (name === "git") return byGit(command);
  const words = operands(command);
  if (WRITE_ALL.has(name)) return words.map((word) => file(word, "write"));
  if (CHANGE_MODE.has(name)) return words.slice(1).map((word) => file(word, "mode"));
  if (COPY.has(name)) return copied(command, words);
  if (name === "dd")
    return words.flatMap((word) =>
      /^[io]f=/.test(word.text)
        ? [{ ...file(word, word.text[0] === "o" ? "write" : "read"), text: word.text.slice(3) }]
        : [],
    );
  const like = LIKE[name] ?? name;
  const given = Object.hasOwn(PATTERN_FIRST, like) ? PATTERN_FIRST[like] : undefined;
  const isInPlace =
    ((like === "sed" || name === "perl" || name === "ruby") && hasInPlace(command)) ||
    (like === "awk" && command.args.some((word) => word.text === "inplace")) ||
    (name === "yq" && command.args.some((word) => /^(?:-i|--inplace)$/.test(word.text)));
  if (given !== undefined) {
    const files = command.args.some((word) => given.test(word.text)) ? words : words.slice(1);
    return [
      ...files.map((word) => file(word, isInPlace ? "write" : "read")),
      ...(like === "grep" ? [...optionValues(command), ...searched(command)] : []),
      ...(like === "sed" ? writtenBySed(command) : []),
    ];
  }
  if (INLINE.test(name)) {
    const isCode = (text: string): boolean => /[\s()'"=;]/.test(text) || /^process\./.test(text);
    return [
      ...words.filter((word) => !isCode(word.text)).map((word) => file(word, isInPlace ? "write" : "read")),
      ...optionValues(command),
    ];
  }
  return byOptions(command, words);
}

/** A program that is not known: what its options write, and what its words name. */
function byOptions(command: ShellCommand, words: readonly ShellWord[]): readonly CommandFile[] {
  const { name, args } = command;
  const own = Object.hasOwn(WRITE_OPTIONS, name) ? WRITE_OPTIONS[name] : undefined;
  const isPacking =
    /tar$/.test(name) && !args.some((word) => /^-?[a-zA-Z]*x|^--(?:extract|get)/.test(word.text));
  const isWriting = (text: string): boolean =>
    !isPacking && (ANY_WRITE_OPTION.test(text) || own?.test(text) === true);
  const changes = EDITORS.has(name) || (!looksOnly(name) && args.some((word) => IN_PLACE.test(word.text)));
  return [
    ...args.flatMap((word, at) => {
      if (at > 0 && isWriting(args[at - 1]!.text)) return [file(word, "write")];
      const attached = isPacking ? undefined : ATTACHED.exec(word.text)?.[1];
      if (attached !== undefined) return [{ ...file(word, "write"), text: attached }];
      if (!words.includes(word)) return [];
      return changes ? [file(word, "either")] : meant(word);
    }),
    ...downloaded(command),
    ...optionValues(command),
  ];
}

/** `curl -O`, `wget`: under the name that the address ends with. */
function downloaded({ name, args }: ShellCommand): readonly CommandFile[] {
  const keepsName =
    name === "wget"
      ? !args.some((word) => /^-[a-zA-Z]*O|^--output-document|^--spider/.test(word.text))
      : name === "curl" && args.some((word) => /^-[a-zA-Z#]*O|^--remote-name/.test(word.text));
  if (!keepsName) return [];
  const at = args.findIndex((word) => /^(?:-P|--directory-prefix|--output-dir)$/.test(word.text));
  const folder = at < 0 ? "." : (args[at + 1]?.text ?? ".");
  return args.flatMap((word) => {
    const name = /^(?:[a-z]+:\/\/)?[^/?#]+\/(?:[^?#]*\/)?([^/?#]+)/i.exec(word.text)?.[1];
    return name === undefined || word.text.startsWith("-")
      ? []
      : [{ ...file(word, "write" as const), text: `${folder}/${name}` }];
  });
}

const GIT_READS = /^(?:show|diff|blame|annotate|cat-file|difftool|archive|format-patch)$/;
const GIT_WRITES = /^(?:checkout|restore|mv|clone)$/;

function byGit(command: ShellCommand): readonly CommandFile[] {
  const written = command.args.flatMap((word, at) => {
    const attached = /^--output(?:-directory)?=(.+)$/s.exec(word.text)?.[1];
    if (attached !== undefined) return [{ ...file(word, "write" as const), text: attached }];
    return /^(?:-o|--output|--output-directory)$/.test(command.args[at - 1]?.text ?? "")
      ? [file(word, "write")]
      : [];
  });
  return [...written, ...byGitVerb(command)];
}

function byGitVerb(command: ShellCommand): readonly CommandFile[] {
  const words = operands(command);
  const at = words.findIndex((word) => /^[a-z-]+$/.test(word.text));
  const verb = words[at]?.text ?? "";
  const rest = words.slice(at + 1);
  const has = (pattern: RegExp): boolean => command.args.some((word) => pattern.test(word.text));
  if (verb === "grep") return rest.slice(1).flatMap(meant);
  if (GIT_READS.test(verb) || (verb === "log" && has(/^(?:-p|-u|--patch|-L.*)$/))) return rest.flatMap(meant);
  if (GIT_WRITES.test(verb) || (verb === "rm" && !has(/^--cached$/)))
    return rest.map((word) => file(word, "write"));
  return [];
}

function copied(command: ShellCommand, words: readonly ShellWord[]): readonly CommandFile[] {
  const at = command.args.findIndex((word) => /^(?:-t|--target-directory)$/.test(word.text));
  const attached = command.args.find((word) => word.text.startsWith("--target-directory="));
  const target =
    at >= 0
      ? command.args[at + 1]
      : attached
        ? { ...attached, text: attached.text.slice("--target-directory=".length) }
        : words.at(-1);
  if (target === undefined) return [];
  const sources = words.filter((word) => word !== target && word.text !== target.text);
  const taken = command.name === "mv" ? "move" : "read";
  return [
    file(target, "write"),
    ...sources.flatMap((source) => [
      file(source, taken),
      // Into a folder a file keeps its name.
      {
        ...file(source, "move" as const),
        text: `${target.text}/${withoutEndSlashes(source.text).split("/").at(-1)}`,
      },
    ]),
  ];
}

function operands(command: ShellCommand): readonly ShellWord[] {
  const end = command.args.findIndex((word) => word.text === "--");
  return command.args.filter((word, at) => (end >= 0 && at > end) || !/^-/.test(word.text));
}

/** `--env-file=.env`, `-f.env`. */
function optionValues(command: ShellCommand): readonly CommandFile[] {
  return command.args.flatMap((word) => {
    const value = /^--[\w-]+=(.+)$/s.exec(word.text)?.[1] ?? /^-[a-zA-Z]([./~].*)$/s.exec(word.text)?.[1];
    return value === undefined ? [] : [{ ...file(word, "read"), text: value, isGlob: /[*?[]/.test(value) }];
  });
}

/** `rg -g '.env*'`: the glob is the next word. */
function searched({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word, at) =>
    /^(?:-[a-zA-Z]*g|--i?glob|--include)$/.test(args[at - 1]?.text ?? "")
      ? [{ ...file(word, "read" as const), isGlob: /[*?[]/.test(word.text) }]
      : [],
  );
}

/** `w file`, at the end of a command of sed's. */
function writtenBySed({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word) =>
    [...word.text.matchAll(/(?<![a-zA-Z])[gpiI\d]{0,8}[wW]\s+([^\s;}]+)/g)].map(([, text = ""]) => ({
      ...file(word, "write" as const),
      text,
    })),
  );
}

function removedByFind({ args }: ShellCommand): readonly CommandFile[] {
  const printed = args.flatMap((word, at) =>
    /^-f(?:ls|print)/.test(args[at - 1]?.text ?? "") ? [file(word, "write")] : [],
  );
  if (!args.some((word) => word.text === "-delete")) return printed;
  return [...printed, ...foundBy(args).map((word) => file(word, "write"))];
}

/** `@file`, `name=file`, `name=@file`, `here:there`, `HEAD:file`. */
function meant(word: ShellWord): readonly CommandFile[] {
  const read = file(word, "read");
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(word.text)) return [];
  const parts = word.text.split(/[:=@]/).filter((part) => part !== "");
  return parts.length <= 1
    ? [{ ...read, text: parts[0] ?? word.text }]
    : [read, ...parts.map((text) => ({ ...read, text }))];
}

function hasInPlace(command: ShellCommand): boolean {
  return command.args.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word.text) || !isKnown(word));
}

function file(word: ShellWord, access: CommandFile["access"]): CommandFile {
  return { text: word.text, isGlob: word.isGlob, access };
}
