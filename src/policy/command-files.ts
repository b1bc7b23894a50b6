import { isKnown, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";

/** A file that a command names. `move`: it is taken away; `mode`: only who may use it changes. */
export interface CommandFile {
  readonly text: string;
  readonly isGlob: boolean;
  readonly access: "read" | "write" | "move" | "mode";
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
const WRITE_OPTIONS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-o|--output|-D|--dump-header|-c|--cookie-jar)$/,
  wget: /^(?:-O|--output-document|-o|--output-file|-a)$/,
  sort: /^(?:-o|--output)$/,
  openssl: /^-(?:out|keyout)$/,
  "ssh-keygen": /^-f$/,
  gpg: /^(?:-o|--output)$/,
  jq: /^$/,
  tree: /^-o$/,
  tar: /^$/,
};

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
  if (NAMES_ONLY.has(name) || command.isOwnFunction) return [];
  if (name === "git") return byGit(command);
  const words = operands(command);
  const texts = words.map((word) => word.text);
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
  const isInPlace = (like === "sed" || name === "perl" || name === "ruby") && hasInPlace(command);
  if (given !== undefined) {
    const files = command.args.some((word) => given.test(word.text)) ? words : words.slice(1);
    return [
      ...files.map((word) => file(word, isInPlace ? "write" : "read")),
      ...(like === "grep" ? optionValues(command) : []),
    ];
  }
  if (INLINE.test(name)) {
    const isCode = (text: string): boolean => /[\s()'"=;]/.test(text) || /^process\./.test(text);
    return [
      ...words.filter((word) => !isCode(word.text)).map((word) => file(word, isInPlace ? "write" : "read")),
      ...optionValues(command),
    ];
  }
  const writes = WRITE_OPTIONS[name];
  const written = new Set(
    writes === undefined ? [] : command.args.flatMap((word, at) => (writes.test(word.text) ? [at + 1] : [])),
  );
  return [
    ...command.args.flatMap((word, at) =>
      written.has(at) ? [file(word, "write")] : texts.includes(word.text) ? meant(word) : [],
    ),
    ...optionValues(command),
  ];
}

const GIT_READS = /^(?:show|diff|blame|annotate|cat-file|difftool|archive|format-patch)$/;
const GIT_WRITES = /^(?:checkout|restore|mv)$/;

function byGit(command: ShellCommand): readonly CommandFile[] {
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
        text: `${target.text}/${source.text.replace(/\/+$/, "").split("/").at(-1)}`,
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
    return value === undefined ? [] : [{ ...file(word, "read"), text: value }];
  });
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
