/** Programs with a language of their own: when their words only look. All texts are known here. */

const GIT_LOOKS = new Set(
  "status log diff show rev-parse ls-files ls-tree blame describe shortlog cat-file rev-list name-rev merge-base for-each-ref show-ref count-objects whatchanged check-ignore diff-tree diff-index diff-files cherry range-diff version grep".split(
    " ",
  ),
);
/** They run or write something. */
const GIT_NEVER =
  /^(?:--output(?:=.*)?|--ext-diff|--textconv|--open-files-in-pager.*|-O.*|--exec-path.*|--git-dir.*|--work-tree.*|--upload-pack.*|-c|--config-env.*|--no-index)$/;
const LIST_OPTIONS =
  /^(?:-[avrl]+|-vv|--list|--all|--remotes|--show-current|--merged|--no-merged|--contains|--sort=.*|--format=.*|--column|--no-color|--color(?:=.*)?|-n\d*|--points-at)$/;

export function isReadOnlyGit(texts: readonly string[]): boolean {
  if (texts.some((text) => GIT_NEVER.test(text))) return false;
  let at = 0;
  while (texts[at]?.startsWith("-")) at += texts[at] === "-C" ? 2 : 1;
  const [verb = "", ...rest] = texts.slice(at);
  if (verb === "") return texts.length > 0 && texts.every((text) => /^--version$/.test(text));
  if (GIT_LOOKS.has(verb)) return true;
  const [first = ""] = rest;
  switch (verb) {
    case "branch":
    case "tag":
      return isListing(rest);
    case "remote":
      return rest.length === 0 || /^(?:-v|--verbose|get-url)$/.test(first);
    case "stash":
      return first === "list" || first === "show";
    case "worktree":
      return first === "list";
    case "submodule":
      return first === "status";
    case "reflog":
      return rest.length === 0 || first === "show" || first.startsWith("-");
    case "config":
      return /^(?:--get|--get-all|get)$/.test(first);
    default:
      return false;
  }
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

const VERSION = /^(?:--version|-v|-V|version|-version)$/;
const LISTS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:ls|list|root|prefix|explain|why)$/,
  pnpm: /^(?:ls|list|root|why)$/,
  yarn: /^(?:list|why)$/,
  pip: /^(?:list|show|freeze)$/,
  go: /^(?:version)$/,
};

/** `node --version`, `npm ls --depth=0`. The command's name is not among its words, so any of the lists will do. */
export function isReadOnlyPackages(texts: readonly string[]): boolean {
  const [first = "", ...rest] = texts;
  if (VERSION.test(first)) return rest.length === 0;
  return (
    Object.values(LISTS).some((list) => list.test(first)) &&
    rest.every((text) => !/^--(?:prefix|dir|C)/.test(text))
  );
}

const SED_OPTIONS =
  /^(?:-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate|--unbuffered|-e|-ne|--expression)$/;
const ADDRESS = String.raw`(?:\d+|\$|\+\d+|\/(?:[^/\\\n]|\\.)*\/I?)`;
const SED_COMMAND = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:\s*,\s*${ADDRESS})?)?\s*!?\s*(?:[pdqQ=lnNgGhHxD]|s\/(?:[^/\\\n]|\\.)*\/(?:[^/\\\n]|\\.)*\/[gpiI0-9]*)\s*$`,
);

export function isReadOnlySed(texts: readonly string[]): boolean {
  if (!texts.every((text) => !/^-./.test(text) || SED_OPTIONS.test(text))) return false;
  const given = texts.flatMap((text, at) =>
    /^-n?e$|^--expression$/.test(text) ? [texts[at + 1] ?? ""] : [],
  );
  const scripts = given.length > 0 ? given : [texts.find((text) => !/^-./.test(text)) ?? ""];
  return scripts.every(
    (script) =>
      script.length > 0 &&
      script.length < 500 &&
      script.split(/[;\n]/).every((part) => part.trim() === "" || SED_COMMAND.test(part)),
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
  return program !== undefined && !/system|[>|@]|getline|ENVIRON|PROCINFO|close|fflush/.test(program);
}

export function isReadOnlyJq(texts: readonly string[]): boolean {
  if (texts.some((text) => /^-[a-zA-Z]*[fL]|^--(?:from-file|rawfile|slurpfile|run-tests)/.test(text)))
    return false;
  return texts.every((text) => !/\benv\b|\$ENV|\binput_filename\b|\binclude\b|\bimport\b/.test(text));
}
