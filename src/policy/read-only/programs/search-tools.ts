import {
  COUNT,
  hasOption,
  type OperandSpec,
  type ParsedCommand,
  type ProgramGrammars,
  type ProgramSpec,
  SIGNED,
  SIZE,
  valuesOfOption,
  WHEN,
  WORD,
} from "../grammar.ts";
import type { TreeReadOptions } from "../readable-files.ts";

/** Programs that search for text in files. */

/** The pattern is the first operand, unless an option provides it or none is needed. */
function fileOperands(call: ParsedCommand, kind: "tree" | "read"): OperandSpec {
  const hasPatternOption = hasOption(
    call,
    "-e",
    "--regexp",
    "-f",
    "--file",
    "--files",
    "--type-list",
    "-V",
    "--version",
    "--help",
  );
  return hasPatternOption ? { kind } : { kind, first: "text", min: 1 };
}

const isRecursive = (call: ParsedCommand): boolean =>
  hasOption(call, "-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories");

const GREP: ProgramSpec = {
  short: "EFGPiyvwxcolLqshHnbZzaIUrRTV",
  long: "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case word-regexp line-regexp null-data no-messages invert-match byte-offset line-number line-buffered with-filename no-filename only-matching quiet silent text recursive dereference-recursive files-without-match files-with-matches count initial-tab null no-group-separator binary help version",
  values: {
    "e regexp": "text",
    "f file": "read",
    "m max-count": SIGNED,
    "A after-context": COUNT,
    "B before-context": COUNT,
    "C context": COUNT,
    "d directories": /^(?:skip|recurse)$/,
    "D devices": /^skip$/,
    "binary-files": WORD,
    label: "text",
    "group-separator": "text",
    "include exclude exclude-dir": "text",
  },
  optional: { color: WHEN, colour: WHEN },
  number: true,
  // It reads no folder unless an option says so.
  operands: (call) => fileOperands(call, isRecursive(call) ? "tree" : "read"),
  tree: grepTree,
};

/** Whether a search matches every line. */
function matchesEverything(call: ParsedCommand): boolean {
  const regexps = valuesOfOption(call, "-e", "--regexp");
  const patterns = regexps.length > 0 ? regexps : [call.operands[0]?.text ?? ""];
  return hasOption(call, "-v", "--invert-match") || patterns.some((text) => /^[\^$.*?|()]*$/.test(text));
}

const NAMES_ONLY = ["--files-with-matches", "--files-without-match", "--count"];

/** With an `--include` first, only matching files are read; the last matching option decides. */
function grepTree(call: ParsedCommand): TreeReadOptions | "names" {
  const chosen = call.values.map(([name]) => name).filter((name) => /^--(?:in|ex)clude$/.test(name));
  const excludedFolders = valuesOfOption(call, "--exclude-dir");
  const only = chosen[0] === "--include" ? valuesOfOption(call, "--include") : null;
  const excluded = chosen.includes("--include") ? [] : valuesOfOption(call, "--exclude");
  // Listing only the matching files still counts as reading: repeated searches reveal a line letter by letter.
  const showsNames = hasOption(call, "-q", "--quiet", "--silent", "-l", "-L", "-c", ...NAMES_ONLY);
  return {
    only,
    excluded,
    excludedFolders,
    followsLinks: hasOption(call, "-R", "--dereference-recursive"),
    printsAll: matchesEverything(call) && !showsNames,
  };
}

const RG: ProgramSpec = {
  short: "aFiSsvwxclLnNHIoPqUu0p.",
  long: "text fixed-strings ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files-with-matches files-without-match files follow line-number no-line-number with-filename no-filename no-heading heading only-matching pcre2 quiet multiline multiline-dotall hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent unrestricted null column no-column stats json trim vimgrep pretty byte-offset no-messages passthru one-file-system crlf type-list no-config glob-case-insensitive sort-files include-zero block-buffered line-buffered version help",
  values: {
    "e regexp": "text",
    "f file": "read",
    "g glob iglob": "text",
    "t type T type-not": /^[\w-]{1,30}$/,
    "A after-context": COUNT,
    "B before-context": COUNT,
    "C context": COUNT,
    "m max-count": COUNT,
    "M max-columns": COUNT,
    "d max-depth": COUNT,
    "j threads": COUNT,
    "max-filesize": SIZE,
    "r replace": "text",
    color: WHEN,
    colors: /^[\w:,]{1,80}$/,
    "sort sortr": WORD,
    "context-separator field-match-separator field-context-separator path-separator": "text",
    engine: WORD,
    encoding: /^[\w-]{1,30}$/,
  },
  operands: (call) => fileOperands(call, "tree"),
  tree: rgTree,
  // Such a glob is empty or a comment for `rg`, or loses a trailing space: it would search everything.
  check: (call) =>
    valuesOfOption(call, "-g", "--glob", "--iglob").every((glob) => !/^!?(?:#|$)|\s$/.test(glob)),
};

function rgTree(call: ParsedCommand): TreeReadOptions | "names" {
  if (hasOption(call, "--files", "--type-list") && !hasOption(call, "-L", "--follow")) return "names";
  const globs = valuesOfOption(call, "-g", "--glob", "--iglob");
  const chosen = globs.filter((glob) => !glob.startsWith("!"));
  const includesHidden = hasOption(call, "--hidden", "-.", "-u", "--unrestricted", "--no-ignore");
  return {
    // A glob that names a hidden file matches it.
    skipsHidden: !includesHidden && chosen.length === 0 && !hasOption(call, "-t", "--type"),
    followsLinks: hasOption(call, "-L", "--follow"),
    printsAll:
      includesHidden && (matchesEverything(call) || hasOption(call, "-u", "--unrestricted", "--no-ignore")),
    only: chosen.length > 0 ? chosen.map(lastPart) : globsOfTypes(valuesOfOption(call, "-t", "--type")),
  };
}

/** Types of `rg` that match no secret file, not even a hidden one: a type includes hidden files. */
const SAFE_TYPES: Readonly<Record<string, readonly string[]>> = {
  ts: ["*.ts", "*.tsx", "*.cts", "*.mts"],
  js: ["*.js", "*.jsx", "*.vue", "*.cjs", "*.mjs"],
  py: ["*.py", "*.pyi"],
  go: ["*.go"],
  rust: ["*.rs"],
  java: ["*.java", "*.jsp", "*.jspx", "*.properties"],
  css: ["*.css", "*.scss"],
  html: ["*.htm", "*.html", "*.ejs"],
  md: ["*.markdown", "*.md", "*.mdown", "*.mdwn", "*.mdx", "*.mkd", "*.mkdn"],
};

function globsOfTypes(types: readonly string[]): readonly string[] | null {
  const known = types.map((type) => (Object.hasOwn(SAFE_TYPES, type) ? SAFE_TYPES[type]! : null));
  return types.length > 0 && known.every((globs) => globs !== null) ? known.flat() : null;
}

/** What a glob says about a file's own name; with a slash in braces or brackets, that may be anything. */
function lastPart(glob: string): string {
  const isPlain = !glob.includes("/") || !/[{[\\]/.test(glob);
  return isPlain ? glob.slice(glob.lastIndexOf("/") + 1) : "*";
}

const FD: ProgramSpec = {
  short: "HIusigFapq01",
  long: "hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path full-path print0 prune quiet show-errors one-file-system version help",
  values: {
    "e extension": /^[\w.-]{1,30}$/,
    "t type": /^[a-z]{1,20}$/,
    "d max-depth min-depth exact-depth": COUNT,
    "E exclude": "text",
    "S size": SIZE,
    "changed-within changed-before": "text",
    "o owner": /^[\w:!-]{1,60}$/,
    "c color": WHEN,
    "j threads max-results": COUNT,
    "path-separator": /^\/$/,
  },
  operands: { kind: "name", first: "text" },
};

export const SEARCH_TOOLS: ProgramGrammars = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: RG,
  fd: FD,
  fdfind: FD,
};
