import { hasOption, type ParsedCommand } from "../grammar.ts";

/** Which git commands print lines of files, by their options. */

const names = (text: string): ReadonlySet<string> =>
  new Set(text.split(" ").map((name) => (name.length === 1 ? `-${name}` : `--${name}`)));

/** With one of these, `git diff` and `git show` print no lines. */
const FORMATS_WITHOUT_LINES = names(
  "stat numstat shortstat dirstat summary compact-summary name-only name-status raw quiet no-patch s",
);

/** Options that print no lines and don't depend on them. Any other may, if only by whether a line matches. */
const OPTIONS_WITHOUT_LINES = new Set([
  ...FORMATS_WITHOUT_LINES,
  ...names(
    "# n max-count skip z R M r i E F P exit-code cached staged merge-base no-renames find-renames diff-filter relative no-relative abbrev no-abbrev full-index color no-color no-ext-diff no-textconv ignore-submodules oneline graph no-graph all branches tags remotes glob exclude reverse no-merges merges first-parent no-decorate decorate decorate-refs decorate-refs-exclude abbrev-commit no-abbrev-commit topo-order date-order author-date-order source left-right left-only right-only cherry cherry-pick cherry-mark boundary simplify-by-decoration full-history dense sparse simplify-merges ancestry-path show-pulls regexp-ignore-case extended-regexp basic-regexp fixed-strings perl-regexp invert-grep all-match relative-date date parents children count objects not no-walk do-walk log-size mailmap no-mailmap use-mailmap clear-decorations no-notes root no-expand-tabs expand-tabs no-min-parents no-max-parents min-parents max-parents since after until before since-as-filter author committer grep format pretty encoding no-commit-id",
  ),
]);
const REFLOG_OPTIONS = names("g walk-reflogs grep-reflog");
const COPY_OPTIONS = names("follow full-diff find-copies");

/** Options that print lines, but only of the named files. */
const OPTIONS_FOR_NAMED_FILES = new Set([
  ...OPTIONS_WITHOUT_LINES,
  ...names(
    "p u patch U unified inter-hunk-context S G pickaxe-regex patch-with-stat patch-with-raw W function-context w b a text binary minimal patience histogram diff-algorithm ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines word-diff word-diff-regex color-words color-moved no-color-moved no-prefix default-prefix src-prefix dst-prefix line-prefix c m cc check",
  ),
]);

/** Whether a git command prints lines of files, or reveals something about them. */
export function printsLines(verb: string, call: ParsedCommand): boolean {
  switch (verb) {
    case "grep":
    case "blame":
      return true;
    case "cat-file":
      return !hasOption(call, "-t", "-s", "-e");
    case "status":
      return hasOption(call, "-v", "--verbose");
    case "diff":
    case "show":
      return !hasOption(call, ...FORMATS_WITHOUT_LINES) || !hasOnlyOptionsWithoutLines(call);
    case "log":
    case "rev-list":
    case "diff-tree":
    case "diff-index":
    case "reflog":
    case "stash list":
      return !hasOnlyOptionsWithoutLines(call);
    case "stash show":
      return !hasOnlyOptionsWithoutLines(call) || !isWithoutPatch(call);
    default:
      return false;
  }
}

/** `git stash show` prints a patch as soon as it has an option that selects no other format. */
function isWithoutPatch(call: ParsedCommand): boolean {
  return optionsOf(call).length === 0 || hasOption(call, ...FORMATS_WITHOUT_LINES);
}

const optionsOf = (call: ParsedCommand): readonly string[] => [
  ...call.flags,
  ...call.values.map(([name]) => name),
];

function hasOnlyOptionsWithoutLines(call: ParsedCommand): boolean {
  return optionsOf(call).every(
    (name) => OPTIONS_WITHOUT_LINES.has(name) || REFLOG_OPTIONS.has(name) || COPY_OPTIONS.has(name),
  );
}

/** Whether a command with paths prints only lines of those files. */
export function printsOnlyNamedFiles(verb: string, call: ParsedCommand): boolean {
  if (verb === "grep" || verb === "blame") return true;
  return verb !== "status" && optionsOf(call).every((name) => OPTIONS_FOR_NAMED_FILES.has(name));
}

/** Whether it reads a reflog. */
export function readsReflog(verb: string, call: ParsedCommand): boolean {
  return verb === "reflog" || hasOption(call, ...REFLOG_OPTIONS);
}
