import {
  BARE_SECRET_NAME,
  type CommandFile,
  fileNamesIn,
  filesInWord,
  operands,
  toCommandFile,
} from "./command-words.ts";
import { filesOfGit, filesPatchedInText } from "./git-files.ts";
import { filesListedOnStdin, filesOpenedByOption } from "./listed-files.ts";
import { isTextOnlyCommand } from "./own-searches.ts";
import { withoutTrailingSlashes } from "./path-glob.ts";
import { isReadingProgram } from "./read-only/is-read-only.ts";
import { filesAssignedToAwk, filesReadBySed, filesWrittenBySed } from "./sed-files.ts";
import { wordsFoundByFind } from "./shell/find-commands.ts";
import { isKnown, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";
import {
  downloadedFiles,
  filesPackedFromFolder,
  mountedFiles,
  remotelyCopiedFiles,
  transferredFiles,
  unpackedFiles,
} from "./transferred-files.ts";
import { filesWrittenByOptions } from "./written-by-options.ts";

/** Programs that inspect file names, never contents. */
export const NAME_ONLY_PROGRAMS: ReadonlySet<string> = new Set(
  "echo printf ls ll stat test [ [[ : find fd fdfind basename dirname realpath readlink mkdir rmdir cd pushd popd pwd which type whereis command true false exit return export declare local readonly typeset unset alias kill sleep file du df tree wc history set shift ps date id uname whoami jobs wait trap seq".split(
    " ",
  ),
);
const WRITE_ALL = new Set(
  "tee touch truncate shred rm srm unlink rimraf mkfifo mknod sponge wipe scrub trash trash-put fallocate rename".split(
    " ",
  ),
);
const CHANGE_MODE = new Set("chmod chown chgrp chattr setfacl chflags chcon".split(" "));
const COPY = new Set("cp mv ln link install ginstall rsync scp ditto gcp gmv".split(" "));
/** Programs with a verb that copies: `docker cp`, `aws s3 cp`. */
const REMOTE_COPY =
  /^(?:docker|podman|nerdctl|kubectl|oc|aws|gsutil|gcloud|az|rclone|mc|s3cmd|s5cmd|lxc|incus|limactl|multipass|adb|vagrant)$/;
const COPY_VERB = /^(?:cp|copy|copyto|sync|mv|move|moveto|download|get|pull|push|transfer|upload|rsync|scp)$/;
/** The first operand is a pattern or a program, unless an option provides it. */
const PATTERN_FIRST: Readonly<Record<string, RegExp>> = {
  grep: /^(?:-[a-zA-Z]*[ef]|--regexp|--file)/,
  sed: /^(?:-[a-zA-Z]*[ef]|--expression|--file)/,
  awk: /^(?:-f|--file)/,
  jq: /^(?:-f|--from-file)/,
};
const ALIAS_OF: Readonly<Record<string, string>> = {
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
/** Their inline code is not a file. */
const RUNS_INLINE_CODE = /^(?:python[\d.]*|node|perl|ruby|php|bun|deno|lua|osascript)$/;
/** They modify the files named as operands. */
const EDITORS = new Set("patch ed ex vi vim nvim view nano emacs micro pico".split(" "));
/** With these options, other programs modify the files named as operands. */
const IN_PLACE =
  /^(?:-i|-I|-w|--write|--fix|--in-?place(?:=.*)?|--overwrite|--apply|--replace|--set(?:=.*)?|--update|--del(?:ete)?|set|put|delete|append|edit|update|write|fmt|format)$/;
/** They modify files without such an option. */
const FORMATTERS =
  /^(?:black|isort|rustfmt|sort-package-json|dos2unix|unix2dos|mac2unix|stylua|swiftformat|pyupgrade|nbstripout|yamlfix|gofumpt|buildifier|nixfmt|alejandra|nixpkgs-fmt|prettierd|autopep8|yapf)$/;
/** They write to their last operand. */
const LAST_IS_WRITTEN = /^(?:xxd|uniq|split|csplit|ffmpeg|convert|magick)$/;

/** Options whose value is a file or folder to write, alone or as the last letter of a cluster. */
const WRITE_OPTIONS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z#]*[oDc]|--output|--output-dir|--dump-header|--cookie-jar)$/,
  wget: /^(?:-[a-zA-Z]*[OoaP]|--output-document|--output-file|--append-output|--directory-prefix)$/,
  openssl: /^-(?:out|keyout)$/,
  "ssh-keygen": /^-f$/,
  tar: /^(?:-[a-zA-Z]*C|--directory|--one-top-level)$/,
  bsdtar: /^(?:-[a-zA-Z]*C|--directory)$/,
  unzip: /^-[a-zA-Z]*d$/,
  cpio: /^(?:-D|--directory)$/,
  gh: /^(?:-D|--dir|-O|--output)$/,
  gpg: /^(?:-o|--output)$/,
  gcc: /^-o$/,
  csplit: /^(?:-f|--prefix)$/,
};
const ANY_WRITE_OPTION = /^(?:-o|--out|--outfile|--output|--out-?dir|--output-?dir)$/;
/** The same with the value attached. */
const ATTACHED_WRITE_OPTION =
  /^(?:--(?:out|outfile|output|out-?dir|output-?dir|dir|output-document|directory|directory-prefix|one-top-level)=|-[oO](?=[./~])|-[dCP](?=[./~]))(.+)$/s;

/** A plan holds secrets, but creating or applying one shows none. */
const APPLIES_PLANS = /^(?:terraform|tofu|terragrunt)$/;

/** Every file that a command names, as far as its words show. */
export function filesOfCommand(command: ShellCommand): readonly CommandFile[] {
  const files = [
    ...redirectedFiles(command),
    ...filesInWords(command),
    ...filesListedOnStdin(command),
    ...filesWrittenByOptions(command, NAME_ONLY_PROGRAMS.has(command.name)),
  ];
  return APPLIES_PLANS.test(command.name) && command.args.some((word) => /^(?:plan|apply)$/.test(word.text))
    ? files.filter(({ text }) => !(text.split(/[/=]/).at(-1) ?? "").includes("plan"))
    : files;
}

function redirectedFiles(command: ShellCommand): readonly CommandFile[] {
  return command.redirects.flatMap(({ operator, target }) => {
    if (target === null || target.isProcess) return [];
    if (operator.endsWith("&") && /^(?:\d+-?|-)$/.test(target.text)) return [];
    return [toCommandFile(target, operator === "<" ? "read" : "write")];
  });
}

function filesInWords(command: ShellCommand): readonly CommandFile[] {
  const { name } = command;
  if (name === "find") return [...removedByFind(command), ...filesOpenedByOption(command)];
  if (command.isOwnFunction || isTextOnlyCommand(command)) return [];
  if (NAME_ONLY_PROGRAMS.has(name)) return filesOpenedByOption(command);
  if (name === "git") return filesOfGit(command);
  const words = operands(command);
  if (WRITE_ALL.has(name)) return words.map((word) => toCommandFile(word, "write"));
  if (CHANGE_MODE.has(name)) {
    // `chmod -x file`, `chown --reference=a b`: the first operand is a file.
    const firstIsFile = command.args.some((word) => /^-[rwxXst]+$|^--reference/.test(word.text));
    return words.slice(firstIsFile ? 0 : 1).map((word) => toCommandFile(word, "mode"));
  }
  if (COPY.has(name)) return copiedFiles(command, words);
  if (REMOTE_COPY.test(name) && words.some((word) => COPY_VERB.test(word.text)))
    return [...remotelyCopiedFiles(words), ...optionValues(command)];
  if (name === "dd")
    return words.flatMap((word) =>
      /^[io]f=/.test(word.text)
        ? [{ ...toCommandFile(word, word.text[0] === "o" ? "write" : "read"), text: word.text.slice(3) }]
        : [],
    );
  const program = ALIAS_OF[name] ?? name;
  const scriptOption = Object.hasOwn(PATTERN_FIRST, program) ? PATTERN_FIRST[program] : undefined;
  const isInPlace =
    ((program === "sed" || name === "perl" || name === "ruby") && hasInPlace(command)) ||
    (program === "awk" && command.args.some((word) => word.text === "inplace")) ||
    (name === "yq" && command.args.some((word) => /^(?:-i|--inplace)$/.test(word.text)));
  if (scriptOption !== undefined) {
    const files = command.args.some((word) => scriptOption.test(word.text)) ? words : words.slice(1);
    return [
      ...files.map((word) => toCommandFile(word, isInPlace ? "write" : "read")),
      ...(program === "grep" ? [...optionValues(command), ...searchedFiles(command)] : []),
      ...(program === "sed" ? [...filesWrittenBySed(command), ...filesReadBySed(command)] : []),
      ...(program === "awk" ? filesAssignedToAwk(command) : []),
    ];
  }
  if (RUNS_INLINE_CODE.test(name)) {
    const isCode = (text: string): boolean => /[\s()'"=;]/.test(text) || /^process\./.test(text);
    return [
      ...words
        .filter((word) => !isCode(word.text))
        .map((word) => toCommandFile(word, isInPlace ? "write" : writesItsWords(words) ? "either" : "read")),
      // These programs have no such option: it is their script's.
      ...command.args.flatMap((word, at) =>
        command.args[at - 1]?.text === "-o" ? [toCommandFile(word, "write")] : [],
      ),
      ...optionValues(command),
    ];
  }
  return filesByOptions(command, words);
}

/** Whether inline code writes or removes the files that follow it as arguments. */
function writesItsWords(words: readonly ShellWord[]): boolean {
  return words.some(
    ({ text }) =>
      /argv|args\b|\bshift\b|\$_|<>/i.test(text) &&
      /write|append|unlink|remove|rename|truncate|["'][wax+>]{1,2}b?["']/i.test(text),
  );
}

/** To these programs a bare word is a test, a task, a resource or a field: `pytest -k access_token`. */
const TAKES_BARE_NAMES =
  /^(?:pytest|jest|vitest|mocha|rspec|phpunit|ctest|behave|playwright|cypress|cargo|go|npm|yarn|pnpm|bun|deno|rails|rake|mix|dotnet|gradlew?|mvnw?|make|just|task|bazel|nx|turbo|tox|nox|hatch|uv|poetry|alembic|flask|django-admin|artisan|kubectl|helm|terraform|tofu|pulumi|vault|op|gh|glab|heroku|flyctl|fly|vercel|railway|docker|podman|psql|mysql|redis-cli|aws|gcloud|az)$/;

/** For an unknown program: the files that its options write, and those its words name. */
function filesByOptions(command: ShellCommand, words: readonly ShellWord[]): readonly CommandFile[] {
  const { name, args } = command;
  const ownWriteOption = Object.hasOwn(WRITE_OPTIONS, name) ? WRITE_OPTIONS[name] : undefined;
  const isPacking =
    /tar$/.test(name) &&
    !/^[a-wyzA-Z]*x[a-zA-Z]*$/.test(args[0]?.text ?? "") &&
    !args.some((word) => /^-[a-zA-Z]*x|^--(?:extract|get)/.test(word.text));
  const isWriting = (text: string): boolean =>
    !isPacking && (ANY_WRITE_OPTION.test(text) || ownWriteOption?.test(text) === true);
  const changes =
    EDITORS.has(name) ||
    FORMATTERS.test(name) ||
    (!isReadingProgram(name) && args.some((word) => IN_PLACE.test(word.text)));
  return [
    ...args.flatMap((word, at) => {
      if (at > 0 && isWriting(args[at - 1]!.text)) return [toCommandFile(word, "write")];
      const attached = isPacking ? undefined : ATTACHED_WRITE_OPTION.exec(word.text)?.[1];
      if (attached !== undefined) return [{ ...toCommandFile(word, "write"), text: attached }];
      if (!words.includes(word) || isProse(word, args[at - 1], name)) return [];
      if (
        TAKES_BARE_NAMES.test(name) &&
        BARE_SECRET_NAME.test(word.text) &&
        !/file$/.test(args[at - 1]?.text ?? "")
      )
        return [];
      return changes
        ? filesInWord(word).map((each) => ({ ...each, access: "either" as const }))
        : filesInWord(word);
    }),
    ...downloadedFiles(command),
    ...(isPacking ? filesPackedFromFolder(command, words) : []),
    ...optionValues(command),
    ...(isPacking ? [] : unpackedFiles(command, words)),
    ...(name === "gh" && words.some((word) => word.text === "clone")
      ? [toCommandFile(words.at(-1)!, "write")]
      : []),
    ...(/^(?:docker|podman|nerdctl)$/.test(name) ? mountedFiles(command) : []),
    ...transferredFiles(command),
    ...(name === "patch" ? filesPatchedInText(command) : []),
    ...(EDITORS.has(name) ? writtenByEditor(command) : []),
    ...(LAST_IS_WRITTEN.test(name) && words.length > 1 ? [toCommandFile(words.at(-1)!, "write")] : []),
  ];
}

/** `vim -c 'w file'`. */
function writtenByEditor({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word) =>
    [
      ...word.text.matchAll(/(?:^|[+:|\s])(?:w|wq|x|sav|saveas|write|up|update)!?\s+(?:>>\s*)?([^\s|]+)/g),
    ].map(([, text = ""]) => ({ ...toCommandFile(word, "write" as const), text })),
  );
}

/** Text for people: `--body 'cat .env leaks'`. */
function isProse(word: ShellWord, before: ShellWord | undefined, program: string): boolean {
  const isText = TEXT_OPTION.test(before?.text ?? "") || (program === "glab" && before?.text === "-d");
  return (/\s/.test(word.text) || !isKnown(word)) && isText;
}

const TEXT_OPTION = /^(?:-m|-b|-t|--(?:message|title|body|description|comment|summary|notes?|subject))$/;

function copiedFiles(command: ShellCommand, words: readonly ShellWord[]): readonly CommandFile[] {
  const target = targetFolder(command) ?? words.at(-1);
  if (target === undefined) return [];
  const sources = words.filter((word) => word !== target && word.text !== target.text);
  const sourceAccess = command.name === "mv" ? "move" : "read";
  return [
    toCommandFile(target, "write"),
    ...sources.flatMap((source) => [
      toCommandFile(source, sourceAccess),
      // Copied into a folder, a file keeps its name.
      {
        ...toCommandFile(source, "move" as const),
        text: `${target.text}/${withoutTrailingSlashes(source.text).split("/").at(-1)}`,
      },
    ]),
  ];
}

/** These have a target option; `-t` of other programs means something else. */
const HAS_TARGET = /^g?(?:cp|mv|ln|install|link)$/;

/** `cp -t F x`, `install -Dt F x`, `cp -t.husky x`, `mv --target-directory=F x`. */
function targetFolder({ name, args }: ShellCommand): ShellWord | undefined {
  if (!HAS_TARGET.test(name)) return undefined;
  for (const [at, word] of args.entries()) {
    if (word.text === "--") return undefined;
    const found =
      /^-[abcCdDfFiHlLnpPrRsTuvxZ]*t(.*)$/s.exec(word.text) ?? /^--t[a-z-]*(?:=(.*))?$/s.exec(word.text);
    if (found !== null) return found[1] ? { ...word, text: found[1] } : args[at + 1];
  }
  return undefined;
}

const EXCLUDE_OPTION = /^--(?:exclude|exclude-dir|ignore|hide)=/;

/** `--env-file=.env`, `-f.env`. */
function optionValues(command: ShellCommand): readonly CommandFile[] {
  return command.args.flatMap((word) => {
    if (EXCLUDE_OPTION.test(word.text)) return [];
    const value =
      /^--?[\w-]+=(.+)$/s.exec(word.text)?.[1] ?? /^-[a-zA-Z](?:@(?=.)|(?=[./~]))(.+)$/s.exec(word.text)?.[1];
    if (value === undefined) return [];
    const names = /@|=</.test(value) ? [value, ...fileNamesIn(value)] : [value];
    return names.map((text) => ({
      ...toCommandFile(word, "read" as const),
      text,
      isGlob: /[*?[]/.test(text),
    }));
  });
}

/** `rg -g '.env*'`: the glob is the next word. */
function searchedFiles({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word, at) =>
    /^(?:-[a-zA-Z]*g|--i?glob|--include)$/.test(args[at - 1]?.text ?? "")
      ? [{ ...toCommandFile(word, "read" as const), isGlob: /[*?[]/.test(word.text) }]
      : [],
  );
}

function removedByFind({ args }: ShellCommand): readonly CommandFile[] {
  const printed = args.flatMap((word, at) =>
    /^-f(?:ls|print)/.test(args[at - 1]?.text ?? "") ? [toCommandFile(word, "write")] : [],
  );
  if (!args.some((word) => word.text === "-delete")) return printed;
  return [...printed, ...wordsFoundByFind(args).map((word) => toCommandFile(word, "write"))];
}

function hasInPlace(command: ShellCommand): boolean {
  return command.args.some((word) => /^-[a-zA-Z0-9]*i|^--in-place/.test(word.text) || !isKnown(word));
}
