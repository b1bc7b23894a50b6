import { COUNT, type ProgramSpec, SIGNED, WHEN, WORD, WORD_LIST, type WordKind } from "../grammar.ts";

/** Options that several git commands share, without `--ext-diff`, `--textconv` and `--output`. */

const PERSON = "(?:author|committer|tagger|creator)(?:name|email|date)?";
/** Excludes the names of remotes, which may be URLs. */
const REF_PART = String.raw`(?:short|[lr]?strip=-?\d{1,3}|track|trackshort|nobracket)`;
const REF_ATOM = `(?:refname|symref|upstream|push)(?::${REF_PART}(?:,${REF_PART})*)?`;
/** `%(signature)` runs gpg, `%(raw)` prints a complete object. */
const OTHER_ATOM = String.raw`(?:HEAD|objectname|objecttype|objectsize|object|type|tag|tree|parent|numparent|subject|body|contents|worktreepath|ahead-behind|if|then|else|end|align|color|${PERSON})(?::[\w=,.%: #/-]{0,60})?`;
export const REF_FORMAT = new RegExp(
  String.raw`^(?:[^%\0]|%%|%[0-9a-fA-F]{2}|%\(\*?(?:${REF_ATOM}|${OTHER_ATOM})\))*$`,
);

/** `%G…` runs gpg to check a signature. */
const PLACEHOLDER = String.raw`(?:[HhTtPpdDSesfbBmn%]|[ac][nNeElLdDrtiIsh]|g[dDnNeEs]|x[0-9a-fA-F]{2}|C(?:red|green|blue|reset|\([\w ,#]{1,60}\))|[<>]{1,2}\|?\([\w ,-]{1,40}\)|w\([\d,]{0,20}\)|\((?:trailers|decorate|describe)(?::[\w=,.%: -]{0,100})?\))`;
const TEXT = String.raw`(?:[^%\0]|%[-+ ]?${PLACEHOLDER})*`;
const FORMAT = new RegExp(
  `^(?:(?:oneline|short|medium|full|fuller|reference|email|mboxrd|raw)?|t?format:${TEXT}|(?=[^%]*%)${TEXT})$`,
);
export const SORT_KEY = /^(?!-?\*?signature)-?[\w:.*-]{1,60}$/;
const PERCENT = /^\d{1,3}%?$/;
const DATE = /^[^\0]{0,100}$/s;

const DIFF_VALUES: Readonly<Record<string, WordKind>> = {
  "U unified inter-hunk-context l": COUNT,
  "S G I ignore-matching-lines": "text",
  "diff-filter": /^[A-Za-z*]{1,20}$/,
  "diff-algorithm anchored": WORD,
  "src-prefix dst-prefix line-prefix word-diff-regex": "text",
};

const DIFF_OPTIONAL: Readonly<Record<string, RegExp>> = {
  color: WHEN,
  "word-diff": WORD,
  "color-words": /^[^\0]{0,100}$/s,
  "color-moved": WORD,
  "color-moved-ws": WORD_LIST,
  stat: /^\d{1,4}(?:,\d{1,4}){0,2}$/,
  dirstat: WORD_LIST,
  abbrev: COUNT,
  submodule: /^(?:short|log)$/,
  "ignore-submodules": WORD,
  "find-renames": PERCENT,
  "find-copies": PERCENT,
};

const DIFF_LONG =
  "patch no-patch raw patch-with-raw patch-with-stat numstat shortstat summary compact-summary name-only name-status no-renames rename-empty no-rename-empty find-copies-harder irreversible-delete minimal patience histogram full-index binary text check ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines function-context exit-code quiet no-ext-diff no-textconv no-color no-color-moved no-prefix default-prefix no-relative relative pickaxe-all pickaxe-regex indent-heuristic no-indent-heuristic no-abbrev ita-invisible-in-index";

export const DIFF_SPEC: ProgramSpec = {
  short: "puszRabwWMCBD",
  long: `${DIFF_LONG} cached staged merge-base cc combined-all-paths ours theirs base`,
  values: DIFF_VALUES,
  optional: DIFF_OPTIONAL,
};

const LOG_LONG =
  "oneline graph no-graph all branches tags remotes reverse no-merges merges first-parent follow no-decorate abbrev-commit no-abbrev-commit topo-order date-order author-date-order walk-reflogs source left-right left-only right-only cherry cherry-pick cherry-mark boundary simplify-by-decoration full-history dense sparse simplify-merges ancestry-path show-pulls regexp-ignore-case extended-regexp basic-regexp fixed-strings perl-regexp invert-grep all-match relative-date parents children count objects not no-walk do-walk log-size mailmap no-mailmap use-mailmap clear-decorations no-notes full-diff cc root no-expand-tabs no-min-parents no-max-parents remove-empty diff-merges no-diff-merges summary numbered email";

const LOG_VALUES: Readonly<Record<string, WordKind>> = {
  ...DIFF_VALUES,
  "n max-count skip": SIGNED,
  "min-parents max-parents": COUNT,
  "since after until before since-as-filter date": DATE,
  "author committer grep grep-reflog glob exclude decorate-refs decorate-refs-exclude": "text",
  format: FORMAT,
  encoding: WORD,
  L: /^(?:\d+,[+-]?\d+|:[\w.]+|\/[^/:]+\/,(?:\/[^/:]+\/|\+\d+)):[\w./@-]+$/,
};

export const LOG_SPEC: ProgramSpec = {
  short: "puszRabwWMCDBgiEFPcmt",
  long: `${DIFF_LONG} ${LOG_LONG}`,
  values: LOG_VALUES,
  optional: {
    ...DIFF_OPTIONAL,
    pretty: FORMAT,
    decorate: WORD,
    "expand-tabs": COUNT,
    "no-walk": WORD,
    branches: /^[\w./*-]+$/,
    tags: /^[\w./*-]+$/,
    remotes: /^[\w./*-]+$/,
    "diff-merges": /^(?:off|none|on|m|1|c|cc|first-parent|separate|combined|dense-combined)$/,
  },
  number: true,
};

/** One-call settings that only change the display. */
export const DISPLAY_SETTING =
  /^(?:color\.[a-z]{1,20}(?:\.[a-z]{1,20})?|core\.(?:quotepath|abbrev|precomposeunicode)|column\.ui|log\.(?:date|decorate)|diff\.(?:noprefix|renames|algorithm|context|mnemonicprefix)|advice\.[a-z]{1,40})=[\w-]{0,20}$|^core\.pager=(?:cat)?$/i;
