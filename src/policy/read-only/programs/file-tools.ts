import { COUNT, hasOption, type ProgramGrammars, SIZE, WHEN, WORD, WORD_LIST } from "../grammar.ts";

/** Programs that report on files: names, sizes, types. They do not show contents. */

const NAMES = { kind: "name" } as const;
const FOLLOWS = ["-L", "-H", "-D", "--dereference", "--dereference-args", "--dereference-command-line"];
/** Follow every link, wherever it leads. */
const FOLLOWS_ALL = ["-L", "--dereference"];
const HELP = "help version";
const TIME_STYLE = /^(?:\+[^\n]{0,80}|(?:posix-)?(?:full-iso|long-iso|iso|locale))$/;

export const FILE_TOOLS: ProgramGrammars = {
  ls: {
    short: "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1",
    long: `all almost-all author escape ignore-backups directory dired file-type full-time group-directories-first no-group human-readable si dereference dereference-command-line dereference-command-line-symlink-to-dir inode kibibytes numeric-uid-gid literal hide-control-chars show-control-chars quote-name reverse recursive size context zero ${HELP}`,
    values: {
      // Not `-I`, which takes no value on other systems.
      "ignore hide": "text",
      "w width": COUNT,
      "T tabsize": COUNT,
      sort: WORD,
      time: WORD,
      format: WORD,
      "indicator-style": WORD,
      "quoting-style": WORD,
      "block-size": SIZE,
      "time-style": TIME_STYLE,
    },
    optional: { color: WHEN, hyperlink: WHEN, classify: WHEN },
    // Without `-d` it lists the folder that a link leads to.
    operands: (call) => ({
      kind: hasOption(call, "-d", "--directory") && !hasOption(call, ...FOLLOWS) ? "entry" : "name",
    }),
    check: (call) => !(hasOption(call, "-R", "--recursive") && hasOption(call, ...FOLLOWS_ALL)),
  },
  stat: {
    short: "Lftxs",
    long: `dereference file-system terse ${HELP}`,
    values: { "c format": "text", printf: "text" },
    operands: NAMES,
  },
  du: {
    short: "0abcDhHklLmPsSx",
    long: `null all apparent-size bytes total dereference-args human-readable inodes dereference count-links no-dereference separate-dirs si summarize one-file-system ${HELP}`,
    values: {
      "d max-depth": COUNT,
      "B block-size": SIZE,
      "t threshold": SIZE,
      exclude: "text",
      "time-style": TIME_STYLE,
    },
    optional: { time: WORD },
    operands: (call) => ({ kind: hasOption(call, ...FOLLOWS) ? "name" : "entry" }),
    check: (call) => !hasOption(call, ...FOLLOWS_ALL),
  },
  df: {
    short: "ahHiklPTv",
    long: `all human-readable si inodes local portability print-type total ${HELP}`,
    values: { "t type": WORD, "x exclude-type": WORD, "B block-size": SIZE },
    optional: { output: WORD_LIST },
    operands: NAMES,
  },
  file: {
    short: "bhiILkNnrsv",
    long: "brief mime mime-type mime-encoding dereference no-dereference keep-going no-pad raw help version",
    values: { "F separator": "text" },
    operands: NAMES,
  },
  realpath: {
    short: "emLPqsz",
    long: `canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero ${HELP}`,
    values: { "relative-to": "name", "relative-base": "name" },
    operands: NAMES,
  },
  readlink: {
    short: "femnqsvz",
    long: `canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero ${HELP}`,
    operands: NAMES,
  },
  tree: {
    short: "adfFghiJnNpqrsStuUvxXACDQ",
    long: "gitignore dirsfirst filesfirst noreport nolinks prune du si inodes device ignore-case matchdirs metafirst help version",
    values: { "L filelimit": COUNT, "I P": "text", sort: WORD, charset: /^[\w-]{1,20}$/, timefmt: "text" },
    optional: { sort: WORD },
    operands: NAMES,
  },
  lsblk: {
    short: "abdfilmnpPrStJ",
    long: "all bytes nodeps fs ascii list perms noheadings paths pairs raw scsi topology json help version",
    values: { "o output": WORD_LIST },
    operands: { kind: "name", max: 0 },
  },
};
