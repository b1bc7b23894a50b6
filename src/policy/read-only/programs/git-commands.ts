import { COUNT, hasOption, type ParsedCommand, type ProgramSpec, WHEN, WORD, WORD_LIST } from "../grammar.ts";
import { DIFF_SPEC, LOG_SPEC, REF_FORMAT, SORT_KEY } from "./git-options.ts";

/** Git commands that only read, with what may follow each of them. Operands are commits and files. */

const COMMITS_AND_FILES = { kind: "read" } as const;
const NONE = { kind: "read", max: 0 } as const;
const REV = "contains no-contains merged no-merged points-at";

/** A name next to one of these is a pattern; alone it would be created. */
const isListing = (call: ParsedCommand): boolean =>
  call.operands.length === 0 || hasOption(call, "-l", "--list", ...REV.split(" ").map((name) => `--${name}`));

const REFS: ProgramSpec = {
  long: "ignore-case no-color no-column omit-empty",
  values: { sort: SORT_KEY, format: REF_FORMAT, [REV]: "text" },
  bare: REV,
  optional: { color: WHEN, column: WORD_LIST, abbrev: COUNT },
  operands: { kind: "text" },
};

/** Settings whose value is no secret: no URLs, headers, commands or data that other programs store there. */
const OPEN_SETTING =
  /^(?:user\.(?:name|email|signingkey|useconfigonly)|author\.(?:name|email)|committer\.(?:name|email)|init\.defaultbranch|core\.(?:autocrlf|bare|editor|eol|excludesfile|attributesfile|filemode|fsmonitor|hookspath|ignorecase|logallrefupdates|longpaths|pager|precomposeunicode|quotepath|repositoryformatversion|safecrlf|sparsecheckout|symlinks|untrackedcache|whitespace|worktree)|branch\.[\w./-]{1,200}\.(?:merge|rebase)|remote\.[\w./-]{1,60}\.(?:fetch|push|prune|tagopt)|(?:color|column|commit|diff|fetch|gc|gpg|help|index|log|merge|pull|push|rebase|rerere|stash|status|tag|feature|extensions)\.[a-z]{1,40})$/i;

/** The one such setting that is a URL. */
const CLOSED_SETTING = /^fetch\.bundleuri$/i;

/** Reads a setting known to be public, by its name. Even the names of others may contain a password. */
function isReadingConfig(call: ParsedCommand): boolean {
  const words = call.operands.map((word) => word.text);
  // A second word would be the key's new value.
  const [key, value] = words[0] === "get" ? words.slice(1) : words;
  return value === undefined && OPEN_SETTING.test(key ?? "") && !CLOSED_SETTING.test(key ?? "");
}

export const GIT_COMMANDS: Readonly<Record<string, ProgramSpec>> = {
  status: {
    short: "sbvz",
    long: "short branch porcelain long verbose show-stash ahead-behind no-ahead-behind renames no-renames null no-column ignored",
    values: { u: /^(?:no|all|normal)$/ },
    bare: "u",
    optional: {
      porcelain: /^v?[12]$/,
      "untracked-files": /^(?:no|all|normal)$/,
      ignored: WORD,
      "ignore-submodules": WORD,
      column: WORD_LIST,
      "find-renames": COUNT,
    },
    operands: { kind: "name" },
  },
  diff: { ...DIFF_SPEC, operands: COMMITS_AND_FILES },
  log: { ...LOG_SPEC, operands: COMMITS_AND_FILES },
  show: { ...LOG_SPEC, operands: COMMITS_AND_FILES },
  "rev-list": { ...LOG_SPEC, operands: COMMITS_AND_FILES },
  shortlog: {
    ...LOG_SPEC,
    short: "snecb",
    values: { "since after until before": "text", "author grep": "text", group: WORD },
    operands: COMMITS_AND_FILES,
  },
  "diff-tree": {
    ...LOG_SPEC,
    short: `${LOG_SPEC.short}r`,
    long: `${LOG_SPEC.long} no-commit-id`,
    operands: COMMITS_AND_FILES,
  },
  "diff-index": { ...DIFF_SPEC, operands: COMMITS_AND_FILES },
  blame: {
    short: "lsftpewnbkcM",
    long: "root show-stats porcelain line-porcelain show-name show-number show-email first-parent no-progress color-lines color-by-age",
    values: { L: /^[\d,+-]{1,20}$|^:[\w.]{1,60}$/, "date since abbrev ignore-rev": "text" },
    operands: COMMITS_AND_FILES,
  },
  branch: {
    ...REFS,
    short: "avrli",
    long: `${REFS.long} all remotes list verbose show-current no-abbrev`,
    check: isListing,
  },
  tag: {
    ...REFS,
    short: "li",
    long: `${REFS.long} list`,
    values: { ...REFS.values, n: COUNT },
    bare: `${REV} n`,
    check: isListing,
  },
  "for-each-ref": {
    ...REFS,
    short: "sp",
    long: `${REFS.long} shell perl python tcl`,
    values: { ...REFS.values, count: COUNT, exclude: "text" },
  },
  "show-ref": {
    short: "dsq",
    long: "head heads branches tags dereference verify quiet",
    optional: { hash: COUNT, abbrev: COUNT },
    operands: { kind: "text" },
  },
  "rev-parse": {
    short: "q",
    long: "show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-object-format verify quiet symbolic symbolic-full-name all branches tags remotes revs-only no-revs no-flags sq not local-env-vars",
    optional: { "abbrev-ref": WORD, short: COUNT, "path-format": WORD },
    operands: COMMITS_AND_FILES,
  },
  "ls-files": {
    short: "cdmoiskutvzf",
    long: "cached deleted modified others ignored stage killed unmerged directory no-empty-directory eol deduplicate full-name error-unmatch exclude-standard sparse",
    values: { "x exclude": "text" },
    optional: { abbrev: COUNT },
    operands: { kind: "name" },
  },
  "ls-tree": {
    short: "rdtlz",
    long: "name-only name-status object-only full-name full-tree long",
    optional: { abbrev: COUNT },
    operands: COMMITS_AND_FILES,
  },
  "cat-file": { short: "ptse", operands: { ...COMMITS_AND_FILES, min: 1, max: 2 } },
  describe: {
    long: "tags always all long exact-match first-parent contains",
    values: { "match exclude": "text", "abbrev candidates": COUNT },
    optional: { dirty: /^[\w.+-]{0,20}$/, broken: /^[\w.+-]{0,20}$/ },
    operands: COMMITS_AND_FILES,
  },
  "name-rev": {
    long: "tags name-only always all no-undefined",
    values: { "refs exclude": "text" },
    operands: COMMITS_AND_FILES,
  },
  "merge-base": {
    short: "a",
    long: "all octopus is-ancestor independent fork-point",
    operands: COMMITS_AND_FILES,
  },
  cherry: { short: "v", values: { abbrev: COUNT }, operands: COMMITS_AND_FILES },
  "count-objects": { short: "vH", long: "verbose human-readable", operands: NONE },
  "check-ignore": {
    short: "qvnz",
    long: "quiet verbose non-matching no-index",
    operands: { kind: "name", min: 1 },
  },
  "check-attr": { short: "az", long: "all cached", operands: { kind: "name", min: 1 } },
  "symbolic-ref": {
    short: "q",
    long: "short quiet recurse no-recurse",
    operands: { kind: "text", min: 1, max: 1 },
  },
  config: {
    short: "z",
    long: "get get-all global local system worktree show-origin show-scope null bool int bool-or-int path includes no-includes all",
    values: { "type default": "text" },
    operands: { kind: "text" },
    check: isReadingConfig,
  },
  grep: {
    short: "avinwhHlLcpWEFGPIoqrz",
    long: "cached no-recursive recursive ignore-case word-regexp text invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count no-color break heading show-function function-context quiet all-match and or not",
    values: {
      e: "text",
      "A after-context": COUNT,
      "B before-context": COUNT,
      "C context": COUNT,
      "max-depth threads": COUNT,
      "m max-count": COUNT,
    },
    optional: { color: WHEN },
    number: true,
    operands: (call) =>
      hasOption(call, "-e") ? COMMITS_AND_FILES : { ...COMMITS_AND_FILES, first: "text", min: 1 },
  },
  apply: {
    short: "vR",
    long: "check stat numstat summary verbose reverse recount",
    values: { p: COUNT },
    operands: { ...COMMITS_AND_FILES, min: 1 },
    check: (call) => hasOption(call, "--check", "--stat", "--numstat", "--summary"),
  },
  add: {
    short: "nvAu",
    long: "dry-run verbose all update",
    operands: { kind: "name" },
    check: (call) => hasOption(call, "-n", "--dry-run"),
  },
  clean: {
    short: "ndxXq",
    long: "dry-run quiet",
    values: { "e exclude": "text" },
    operands: { kind: "name" },
    check: (call) => hasOption(call, "-n", "--dry-run"),
  },
  version: { long: "build-options", operands: NONE },
};

/** Commands that only read with one of these words after their name. */
export const GIT_SUBCOMMANDS: Readonly<Record<string, Readonly<Record<string, ProgramSpec>>>> = {
  remote: {
    "": { short: "v", long: "verbose", operands: NONE },
    "get-url": { long: "all push", operands: { kind: /^[\w.-]{1,60}$/, min: 1, max: 1 } },
  },
  stash: {
    list: { ...LOG_SPEC, operands: { ...COMMITS_AND_FILES, max: 1 } },
    // Here `-u` includes untracked files, whatever they are.
    show: {
      ...DIFF_SPEC,
      short: DIFF_SPEC.short!.replace("u", ""),
      operands: { ...COMMITS_AND_FILES, max: 1 },
    },
  },
  worktree: { list: { short: "vz", long: "verbose porcelain", operands: NONE } },
  reflog: {
    "": { ...LOG_SPEC, operands: { kind: /^(?:HEAD|@|stash|main|master|refs\/.+|.+@\{.+\})$/, max: 1 } },
    show: { ...LOG_SPEC, operands: { ...COMMITS_AND_FILES, max: 1 } },
  },
};
