import { pathsOf } from "../../locations.ts";
import {
  COUNT,
  hasOption,
  NUMBER_LIST,
  type ProgramGrammars,
  type ProgramSpec,
  SIGNED,
  SIZE,
  valuesOfOption,
  WHEN,
  WORD,
} from "../grammar.ts";

/** Programs that print, cut, count and compare text. Without a file they read stdin. */

const FILES = { kind: "read" } as const;
const HELP = "help version";

const CHECKSUM: ProgramSpec = {
  short: "btz",
  long: `binary text tag zero ${HELP}`,
  values: { "a algorithm": /^[a-z\d-]{1,12}$/, "l length": COUNT },
  operands: FILES,
};

export const TEXT_TOOLS: ProgramGrammars = {
  cat: {
    short: "AbeEnstTuv",
    long: `show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting ${HELP}`,
    operands: FILES,
  },
  tac: { short: "br", long: `before regex ${HELP}`, values: { "s separator": "text" }, operands: FILES },
  rev: { operands: FILES },
  head: {
    short: "qvz",
    long: `quiet silent verbose zero-terminated ${HELP}`,
    values: { "n lines": SIZE, "c bytes": SIZE },
    number: true,
    operands: FILES,
  },
  tail: {
    short: "qvzfFr",
    long: `quiet silent verbose zero-terminated retry ${HELP}`,
    values: { "n lines": SIZE, "c bytes": SIZE, "s sleep-interval": /^\d{1,4}(?:\.\d+)?$/, pid: COUNT },
    optional: { follow: /^(?:name|descriptor)$/ },
    number: true,
    operands: FILES,
  },
  wc: { short: "clmwL", long: `bytes chars lines words max-line-length ${HELP}`, operands: { kind: "name" } },
  nl: {
    short: "p",
    long: `no-renumber ${HELP}`,
    values: {
      "b body-numbering": "text",
      "f footer-numbering": "text",
      "h header-numbering": "text",
      "d section-delimiter": "text",
      "s number-separator": "text",
      "n number-format": /^[lr][nz]$/,
      "i line-increment": SIGNED,
      "l join-blank-lines": COUNT,
      "v starting-line-number": SIGNED,
      "w number-width": COUNT,
    },
    operands: FILES,
  },
  cut: {
    short: "nsz",
    long: `complement only-delimited zero-terminated ${HELP}`,
    values: {
      "b bytes": NUMBER_LIST,
      "c characters": NUMBER_LIST,
      "f fields": NUMBER_LIST,
      "d delimiter": "text",
      "output-delimiter": "text",
    },
    operands: FILES,
  },
  paste: {
    short: "sz",
    long: `serial zero-terminated ${HELP}`,
    values: { "d delimiters": "text" },
    operands: FILES,
  },
  join: {
    short: "iz",
    long: `ignore-case check-order nocheck-order header zero-terminated ${HELP}`,
    values: {
      a: /^[12]$/,
      v: /^[12]$/,
      "1": COUNT,
      "2": COUNT,
      j: COUNT,
      t: "text",
      e: "text",
      o: /^(?:auto|[\d.,]+)$/,
    },
    operands: { ...FILES, max: 2 },
  },
  comm: {
    short: "123z",
    long: `check-order nocheck-order total zero-terminated ${HELP}`,
    values: { "output-delimiter": "text" },
    operands: { ...FILES, max: 2 },
  },
  cmp: {
    short: "bls",
    long: `print-bytes verbose quiet silent ${HELP}`,
    values: { "i ignore-initial": /^\d+(?::\d+)?$/, "n bytes": SIZE },
    operands: { ...FILES, max: 2 },
  },
  fold: { short: "bs", long: `bytes spaces ${HELP}`, values: { "w width": COUNT }, operands: FILES },
  fmt: {
    short: "cstu",
    long: `crown-margin split-only tagged-paragraph uniform-spacing ${HELP}`,
    values: { "w width": COUNT, "g goal": COUNT, prefix: "text" },
    operands: FILES,
  },
  expand: { short: "i", long: `initial ${HELP}`, values: { "t tabs": NUMBER_LIST }, operands: FILES },
  unexpand: {
    short: "a",
    long: `all first-only ${HELP}`,
    values: { "t tabs": NUMBER_LIST },
    operands: FILES,
  },
  column: {
    short: "tJLx",
    long: "table json keep-empty-lines fillrows",
    values: {
      "s separator": "text",
      "c output-width": COUNT,
      "o output-separator": "text",
    },
    operands: FILES,
  },
  od: {
    short: "abcdfiloxsv",
    long: `output-duplicates ${HELP}`,
    values: {
      "A address-radix": /^[doxn]$/,
      "j skip-bytes": SIZE,
      "N read-bytes": SIZE,
      "t format": /^[acdfoux\dCSILFDLz]{1,20}$/,
      "w width": COUNT,
    },
    operands: FILES,
  },
  hexdump: {
    short: "bcCdovx",
    long: "one-byte-octal one-byte-char canonical two-bytes-decimal two-bytes-octal two-bytes-hex no-squeezing",
    values: { "n length": SIZE, "s skip": SIZE },
    operands: FILES,
  },
  xxd: {
    short: "abeEiupd",
    values: { c: COUNT, g: COUNT, l: SIZE, o: SIGNED, s: SIGNED },
    operands: { ...FILES, max: 1 },
  },
  base64: {
    short: "dDi",
    long: `decode ignore-garbage ${HELP}`,
    values: { "w wrap": COUNT },
    operands: { ...FILES, max: 1 },
  },
  sort: {
    short: "bdfghiMnrRsuVzcCm",
    long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting month-sort numeric-sort reverse random-sort stable unique version-sort zero-terminated merge ${HELP}`,
    values: {
      "k key": /^[\d.,bdfghiMnrRV]{1,40}$/,
      "t field-separator": "text",
      "S buffer-size": /^\d{1,6}[%bKMG]?$/,
      parallel: COUNT,
      sort: WORD,
    },
    optional: { check: WORD },
    operands: FILES,
  },
  uniq: {
    short: "cdDiuz",
    long: `count repeated ignore-case unique zero-terminated ${HELP}`,
    values: { "f skip-fields": COUNT, "s skip-chars": COUNT, "w check-chars": COUNT },
    optional: { "all-repeated": WORD, group: WORD },
    operands: { ...FILES, max: 1 },
  },
  tr: {
    short: "cCdst",
    long: `complement delete squeeze-repeats truncate-set1 ${HELP}`,
    operands: { kind: "text", min: 1, max: 2 },
  },
  diff: {
    short: "qsuceynprNiEZbwBadtT",
    long: `normal brief report-identical-files ed rcs side-by-side left-column suppress-common-lines show-c-function expand-tabs initial-tab recursive no-dereference new-file unidirectional-new-file ignore-file-name-case ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines strip-trailing-cr text minimal speed-large-files ${HELP}`,
    values: {
      "U C W": COUNT,
      width: COUNT,
      "F show-function-line": "text",
      "I ignore-matching-lines": "text",
      "x exclude": "text",
      "L label": "text",
      tabsize: COUNT,
      "horizon-lines": COUNT,
    },
    optional: { unified: COUNT, context: COUNT, color: WHEN },
    operands: { kind: "tree", max: 2 },
    tree: (call) => {
      // Given a folder and a file, it reads the file of that name in the folder, excluded or not.
      const areFolders = call.operands.every((word) =>
        pathsOf(word.text, call.locations, call.command.cwds).every((path) =>
          Array.isArray(call.locations.world.entries?.(path)),
        ),
      );
      const excluded = areFolders ? valuesOfOption(call, "-x", "--exclude") : [];
      return {
        printsAll:
          !hasOption(call, "-q", "--brief") &&
          hasOption(call, "-N", "--new-file", "--unidirectional-new-file"),
        followsLinks: !hasOption(call, "--no-dereference"),
        excluded,
        excludedFolders: excluded,
      };
    },
  },
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha224sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha384sum: CHECKSUM,
  sha512sum: CHECKSUM,
  b2sum: CHECKSUM,
  cksum: CHECKSUM,
  md5: { short: "qr", operands: FILES },
  shasum: { short: "bt", long: "binary text", values: { "a algorithm": COUNT }, operands: FILES },
  seq: {
    short: "w",
    long: `equal-width ${HELP}`,
    values: {
      "s separator": "text",
      "f format": /^[^%]{0,20}%[-0+ #]*\d{0,3}(?:\.\d{1,3})?[efg][^%]{0,20}$/,
    },
    operands: { kind: /^-?\d{1,9}(?:\.\d{1,6})?$/, max: 3 },
  },
  bc: { short: "lqs", long: "mathlib quiet standard", operands: { kind: "read", max: 0 } },
};
