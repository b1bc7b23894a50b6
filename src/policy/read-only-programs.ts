/** Programs with a language of their own: when their words only look. All texts are known here. */

const GIT_LOOKS = new Set(
  "status log diff show rev-parse ls-files ls-tree blame describe shortlog cat-file rev-list name-rev merge-base for-each-ref show-ref count-objects whatchanged check-ignore check-attr var diff-tree diff-index diff-files cherry range-diff version grep".split(
    " ",
  ),
);
/** They run or write something. */
const GIT_NEVER =
  /^(?:--output(?:=.*)?|--ext-diff|--textconv|--open-files-in-pager.*|-O.*|--filters|--exec-path.*|--git-dir.*|--work-tree.*|--upload-pack.*|-c.+|--config-env.*|--no-index|--lost-found)$/;
/** Settings for one call that only change how it looks. */
const GIT_SHOWS =
  /^(?:color\.\w+(?:\.\w+)?|core\.(?:quotepath|abbrev|precomposeunicode)|column\.ui|log\.(?:date|decorate|showsignature)|diff\.(?:noprefix|renames|algorithm|context|mnemonicprefix)|advice\.\w+)=[\w-]*$|^core\.pager=(?:cat)?$/i;
const LIST_OPTIONS =
  /^(?:-[avrl]+|-vv|--list|--all|--remotes|--show-current|--merged|--no-merged|--contains|--sort=.*|--format=.*|--column|--no-color|--color(?:=.*)?|-n\d*|--points-at)$/;

export function isReadOnlyGit(texts: readonly string[]): boolean {
  if (texts.some((text) => GIT_NEVER.test(text))) return false;
  let at = 0;
  for (; texts[at]?.startsWith("-"); at++) {
    if (texts[at] === "-c" && !GIT_SHOWS.test(texts[at + 1] ?? "")) return false;
    if (texts[at] === "-c" || texts[at] === "-C") at++;
  }
  const [verb = "", ...rest] = texts.slice(at);
  if (verb === "") return texts.length > 0 && texts.every((text) => /^--version$/.test(text));
  if (GIT_LOOKS.has(verb)) return true;
  const [first = ""] = rest;
  switch (verb) {
    case "branch":
    case "tag":
      return isListing(rest);
    case "remote":
      return /^(?:|-v|--verbose|get-url(?: .*)?)$/.test(rest.join(" "));
    case "stash":
      return first === "list" || first === "show";
    case "worktree":
      return first === "list";
    case "submodule":
      return rest.length === 0 || first === "status";
    case "reflog":
      return (
        !/^(?:expire|delete|drop|write)$/.test(first) && !rest.some((text) => text.startsWith("--expire"))
      );
    case "config":
      return isReadingConfig(rest);
    case "symbolic-ref":
      return (
        rest.filter((text) => !/^(?:--short|-q|--quiet)$/.test(text)).length === 1 &&
        !/^-d|^--del/.test(first)
      );
    case "notes":
      return /^(?:list|show)$/.test(first);
    case "bisect":
      return rest.join(" ") === "log";
    case "lfs":
      return /^(?:ls-files|status|env|version)$/.test(first);
    case "fsck":
      return true;
    case "apply":
      return /^--(?:check|stat|numstat|summary)$/.test(first) && !rest.includes("--apply");
    case "add":
    case "clean":
      return /^(?:-n|-nd|-dn|-nx|-ndx|-ndX|--dry-run)$/.test(first);
    default:
      return false;
  }
}

const CONFIG_OPTIONS =
  /^(?:--get|--get-all|--get-regexp|--list|-l|--global|--local|--system|--worktree|--show-origin|--show-scope|--name-only|-z|--null|--bool|--int|--path|--type=\w+|--default=.*|--includes)$/;

/** `git config x` tells, `git config x y` sets. */
function isReadingConfig(rest: readonly string[]): boolean {
  const names = rest.filter((text) => !text.startsWith("-"));
  if (!rest.every((text) => !text.startsWith("-") || CONFIG_OPTIONS.test(text))) return false;
  const isGetting = rest.some((text) => /^--get/.test(text)) || /^(?:get|list)$/.test(names[0] ?? "");
  if (isGetting) return names.length <= 3;
  return rest.some((text) => /^(?:--list|-l)$/.test(text)) ? names.length === 0 : names.length === 1;
}

/** A name beside `--list` or `--contains` is a pattern; alone it would be made. */
function isListing(rest: readonly string[]): boolean {
  const names = rest.filter((text) => !text.startsWith("-"));
  return (
    rest.every((text) => !text.startsWith("-") || LIST_OPTIONS.test(text)) &&
    (names.length === 0 ||
      rest.some((text) => /^(?:--list|-l|--contains|--merged|--no-merged|--points-at)$/.test(text)))
  );
}

export function isReadOnlyAwk(texts: readonly string[]): boolean {
  let at = 0;
  for (; texts[at]?.startsWith("-"); at++) {
    const text = texts[at]!;
    if (text === "-F" || text === "-v") at++;
    else if (!/^-[Fv]./.test(text)) return false;
  }
  const program = texts[at];
  if (program === undefined || /system|@|getline|ENVIRON|PROCINFO|close|fflush/.test(program)) return false;
  // After `print` they go into a file or a command; before it they compare.
  const print = program.search(/\bprintf?\b/);
  return !(print >= 0 && program.includes(">", print)) && !/\|/.test(program.replaceAll("||", ""));
}

export function isReadOnlyJq(texts: readonly string[]): boolean {
  if (texts.some((text) => /^-[a-zA-Z]*[fL]|^--(?:from-file|rawfile|slurpfile|run-tests)/.test(text)))
    return false;
  return texts.every(
    (text) => !/(?<![.\w"])env\b|\$ENV|\binput_filename\b|\binclude\b|\bimport\b/.test(text),
  );
}

export function isReadOnlyYq(texts: readonly string[]): boolean {
  return texts.every((text) =>
    /^-./.test(text)
      ? /^(?:-[rPeCMNj]+|-[op]=?\w*|--output-format=\w+|--input-format=\w+)$/.test(text)
      : !/env|load|system|split_doc/i.test(text.replaceAll(".env", "")),
  );
}

/** `tar tf x`, `tar -tzvf x`. */
export function isListingTar(texts: readonly string[]): boolean {
  const [first = "", ...rest] = texts;
  return /^-?(?=[vzjJf]*t)[tvzjJf]+$/.test(first) && rest.every((text) => !/^-./.test(text));
}
