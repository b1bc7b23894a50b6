import { type CommandFile, toCommandFile } from "./command-words.ts";
import { isReadingProgram } from "./read-only/is-read-only.ts";
import type { ShellCommand, ShellWord } from "./shell/shell-reading.ts";

/**
 * Files that a program writes because of its arguments: logs, reports, archives, compiled and downloaded files. Options
 * are recognized by name, for any program. The purpose of such a file is a guess, so it counts as read or written.
 */

/** Options that name an output file: `--log-file`, `--outDir`, `--python_out`, `--save-cookies`. */
const WRITES =
  /^--?(?:[a-z\d]+[-_])*(?:out|output|outputs|log|logs|trace|dump|save|report|reports|reporter|dest|destination|destdir|target|backup|download|downloads|export|record|result|results|write|cookie|cookies|cookiejar|jar|hsts|libcurl|stderr|stdout|junitxml|archive|prefix|install|pack|warc|snapshot|profile|cache|temp|tmp|build|dist|declaration|tsbuildinfo|emit|generate|store|put|append|to)[-_]?(?:ascii|as|bundle|cookies?|destination|dir|directory|file|filename|folder|header|jar|json|log|name|output|path|root|save|to|xml)?$/i;
/** The same as one word: `outputFile`, `logfile`. */
const WRITES_AS_ONE_WORD =
  /^--?(?:out|output|log|dump|report|dest|target|save|trace|etag|junit|alt)-?_?(?:dir|directory|file|path|folder|save|svc|xml)$/i;
/** Short options that write, by program. */
const SHORT_WRITE_OPTIONS: Readonly<Record<string, RegExp>> = {
  babel: /^-[do]$/,
  swc: /^-[do]$/,
  javac: /^-[dsh]$/,
  kotlinc: /^-d$/,
  scalac: /^-d$/,
  rollup: /^-[dof]$/,
  postcss: /^-[do]$/,
  mkdocs: /^-d$/,
  hugo: /^-d$/,
  jekyll: /^-d$/,
  jsdoc: /^-d$/,
  asciidoctor: /^-[Do]$/,
  ssh: /^-[ES]$/,
  strace: /^-[a-zA-Z]*o$/,
  ltrace: /^-[a-zA-Z]*o$/,
  time: /^-[a-zA-Z]*o$/,
  perf: /^-o$/,
  script: /^-[a-zA-Z]*[IOBT]$/,
  tcpdump: /^-w$/,
  tshark: /^-w$/,
  dumpcap: /^-w$/,
  minicom: /^-C$/,
  logrotate: /^-[sl]$/,
  ab: /^-[ge]$/,
  cpio: /^-[a-zA-Z]*[OFE]$/,
  pax: /^-[a-zA-Z]*f$/,
  wget: /^-[a-zA-Z]*[OoaP]$/,
  zstd: /^-[a-zA-Z]*o$/,
  mysqldump: /^-r$/,
  pg_dump: /^-f$/,
  pg_dumpall: /^-f$/,
  sqlcmd: /^-o$/,
  nmap: /^-o[NXGSA]$/,
  screen: /^-Logfile$/,
  ninja: /^-C$/,
  cargo: /^-Z$/,
  npm: /^--pack-destination$/,
};
/** Any option with an attached value may write, except those that name input. */
const READS =
  /^--?(?:[a-z\d]+[-_])*(?:config|configuration|conf|cfg|file|files|input|inputs|in|infile|src|source|sources|path|paths|from|include|includes|exclude|excludes|ignore|ignores|patterns|skip|skips|omit|except|without|watch|scan|allow|deny|filter|filters|glob|globs|only|project|rc|rcfile|schema|schemas|spec|values|vars?|env|key|cert|ca|cacert|require|import|loader|plugin|preset|extends|format|pattern|match|grep|tests?|workflows?|manifest|lockfile|template|message|title|body|notes|name|branch|ref|url|type|context|cwd|workdir|git|root|base|chdir|settings|rules?|policy|baseline|expected|compare|diff|check|lint|chmod|severity|level|color|parser|language|lang|filename|stdin|with|against|select|option|query|author|date|trailer|data|form|header|user|password|secret|id|image|label|mount|volume)(?:[-_](?:paths?|files?|from|names?|dirs?|patterns?|globs?))?$/i;

/** Files that a program and its wrappers write, by their options and their purpose. */
export function filesWrittenByOptions(command: ShellCommand, namesOnly: boolean): readonly CommandFile[] {
  const { name, args, starters, isOwnFunction } = command;
  const starterFiles = starters.flatMap((starter) => [
    ...filesOfOptions(starter.name, starter.words),
    ...filesOfProgram(starter.name, starter.words),
  ]);
  if (namesOnly || isOwnFunction || name === "git") return starterFiles;
  const programFiles = [...attachedFiles(name, args), ...filesOfProgram(name, args)];
  return [...starterFiles, ...(isReadingProgram(name) ? [] : filesOfOptions(name, args)), ...programFiles];
}

/** `curl -so.envrc`, `tar -xzvC.git/hooks`: a value directly after several letters. */
function attachedFiles(name: string, words: readonly ShellWord[]): readonly CommandFile[] {
  if (/grep$|^(?:rg|ag|ack|g?sed|[gmn]?awk)$/.test(name)) return [];
  return words.flatMap((word) => {
    const value = /^-[a-zA-Z]{2,8}(\.[a-zA-Z].*)$/s.exec(word.text)?.[1];
    return value === undefined ? [] : [toGuessedFile(word, value)];
  });
}

function filesOfOptions(name: string, words: readonly ShellWord[]): readonly CommandFile[] {
  const short = Object.hasOwn(SHORT_WRITE_OPTIONS, name) ? SHORT_WRITE_OPTIONS[name] : undefined;
  return words.flatMap((word, at) => {
    const [, option, value] = /^(--?[\w-]+)=(.+)$/s.exec(word.text) ?? [];
    if (option !== undefined && value !== undefined)
      return READS.test(splitCamelCase(option)) && !writes(option)
        ? []
        : [value, ...value.split(":").slice(1)].map((text) => toGuessedFile(word, text));
    const attached = /^-[a-zA-Z]{1,2}(?=[./~])(.+)$/s.exec(word.text)?.[1];
    if (attached !== undefined && short?.test(word.text.slice(0, -attached.length)) === true)
      return [toGuessedFile(word, attached)];
    const before = words[at - 1]?.text ?? "";
    const isValue = writes(before) || short?.test(before) === true;
    return isValue && !word.text.startsWith("-") ? [toGuessedFile(word, word.text)] : [];
  });
}

function writes(option: string): boolean {
  return WRITES.test(splitCamelCase(option)) || WRITES_AS_ONE_WORD.test(option);
}

/** `--testPathIgnorePatterns` as `--test-Path-Ignore-Patterns`. */
function splitCamelCase(option: string): string {
  return option.replace(/([a-z\d])(?=[A-Z])/g, "$1-");
}

function toGuessedFile(word: ShellWord, text: string): CommandFile {
  return { ...toCommandFile(word, "either"), text };
}

/** They modify every file operand. */
const CHANGES =
  /^(?:sd|rpl|jscodeshift|mmv|mcp|mln|fastmod|codemod|ruplacer|repren|mdformat|yamlfmt|mogrify|strip|upx|detox|plutil|plistbuddy|xmlstarlet|crudini|add-trailing-comma|reorder-python-imports|end-of-file-fixer|trailing-whitespace-fixer|mktemp|csplit|setfattr|xattr|install_name_tool|patchelf|chrpath|exiftool|codesign|mdsplit|vidir|edir|massren|perltidy|unifdef|indent|recode|tidy|addlicense|license-eye|autoconf|m4sh)$/;
/** They replace their file operands, unless they print the result. */
const COMPRESSES =
  /^(?:g?zip|gunzip|bzip2|bunzip2|xz|unxz|lzma|zstd|unzstd|lz4|brotli|compress|uncompress|pigz|lzop)$/;
/** The word after this verb, or the last one, is the output. */
const CREATES_OUTPUT: readonly (readonly [programs: RegExp, verb: RegExp, which: "next" | "last"])[] = [
  [/^7z[a-z]*$|^rar$/, /^(?:a|u|d|rn)$/, "next"],
  [/^ar$|^(?:llvm|gcc)-ar$/, /^-?[a-zA-Z]*[rqd][a-zA-Z]*$/, "next"],
  [/^jar$/, /^-?[a-zA-Z]*[cui][a-zA-Z]*f[a-zA-Z]*$/, "next"],
  [
    /^(?:svn|hg|bzr|fossil|jj|sl|glab|pijul|darcs)$/,
    /^(?:export|checkout|co|clone|branch|get|archive|cat|open)$/,
    "last",
  ],
  [/^(?:degit|tiged|giget|gitpick|gittar|copier|cookiecutter)$/, /./, "last"],
  [
    /^(?:sphinx-build|lessc|mksquashfs|sass|wkhtmltopdf|dot2tex|asar|mount|umount|bindfs|rst2html|cwebp|sips|vpxenc|sox|lame|qemu-img|hdiutil)$/,
    /./,
    "last",
  ],
  [/^tmux$/, /^(?:save-buffer|saveb)$/, "last"],
  [/^script$/, /./, "last"],
];

function filesOfProgram(name: string, words: readonly ShellWord[]): readonly CommandFile[] {
  const operands = words.filter((word) => !word.text.startsWith("-"));
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word.text));
  if (CHANGES.test(name)) return operands.map((word) => toGuessedFile(word, word.text));
  if (name === "zip") return operands.slice(0, 1).map((word) => toGuessedFile(word, word.text));
  if (COMPRESSES.test(name))
    return has(/^-[a-zA-Z]*[clt]|^--(?:stdout|list|test)$/)
      ? []
      : operands.map((word) => toGuessedFile(word, word.text));
  if (/^(?:ast-grep|sg)$/.test(name))
    return has(/^(?:-U|--update-all)$/) ? operands.map((word) => toGuessedFile(word, word.text)) : [];
  if (/^(?:g|bsd|s)?tar$/.test(name)) return packedFiles(words);
  if (name === "cpio")
    return has(/^-[a-zA-Z]*i|^--extract$/) ? operands.map((word) => toGuessedFile(word, word.text)) : [];
  if (name === "socat")
    return operands.flatMap(
      (word) =>
        /^(?:OPEN|CREATE|CREAT|GOPEN|FILE|PIPE|NAMED|UNIX-LISTEN|PTY,link):?=?([^,]+)/i
          .exec(word.text)
          ?.slice(1)
          .map((text) => toGuessedFile(word, text)) ?? [],
    );
  if (name === "curl")
    return words.flatMap((word) =>
      [...word.text.matchAll(/%output\{(?:>>)?([^}]+)\}/g)].map(([, text = ""]) => toGuessedFile(word, text)),
    );
  if (/^ansible/.test(name))
    return words.flatMap((word) =>
      [...word.text.matchAll(/\b(?:dest|path|name|creates)=(\S+)/g)].map(([, text = ""]) =>
        toGuessedFile(word, text),
      ),
    );
  if (name === "gh" && has(/^(?:PUT|POST|PATCH|DELETE)$|^-X(?:PUT|POST|PATCH|DELETE)$/i))
    return operands.map((word) =>
      toGuessedFile(word, word.text.replace(/^.*\/contents\//, "").split("?")[0]!),
    );
  return CREATES_OUTPUT.flatMap(([programs, verb, which]) => {
    if (!programs.test(name)) return [];
    const at = words.findIndex((word) => verb.test(word.text));
    const output = which === "next" ? words[at + 1] : operands.at(-1);
    return at < 0 || output === undefined
      ? []
      : output.text.split(":").map((text) => toGuessedFile(output, text));
  });
}

/** `tar cf F`, `tar -c -f F`, `tar --create --file=F`; and names that `--transform` produces. */
function packedFiles(words: readonly ShellWord[]): readonly CommandFile[] {
  const renamed = words.flatMap((word, at) => {
    const before = words[at - 1]?.text ?? "";
    const isExpression =
      /^--(?:transform|xform)(?:=|$)/.test(word.text) || /^(?:--transform|--xform|-s)$/.test(before);
    return isExpression ? word.text.split(/[,|#;]/).map((text) => toGuessedFile(word, text)) : [];
  });
  const createsArchive = words.some(({ text }, at) =>
    at === 0 && !text.startsWith("-")
      ? /[cruA]/.test(text)
      : /^-[a-zA-Z]*[cruA]|^--(?:create|append|update|catenate|concatenate)$/.test(text),
  );
  if (!createsArchive) return renamed;
  const archives = words.flatMap((word, at) => {
    const before = words[at - 1]?.text ?? "";
    const isNext = (at === 1 ? /^-?[a-zA-Z]*f/ : /^-[a-zA-Z]*f/).test(before) || before === "--file";
    const attached = /^--file=(.+)$/s.exec(word.text)?.[1];
    if (attached !== undefined) return [{ ...toCommandFile(word, "write"), text: attached }];
    return isNext ? [toCommandFile(word, "write")] : [];
  });
  return [...archives, ...renamed];
}
