import {
  COUNT,
  hasOption,
  type ParsedCommand,
  type ProgramGrammars,
  type ProgramSpec,
  WORD,
  WORD_LIST,
} from "../grammar.ts";

/** Programs that report on the machine, its processes and its users. None uses the network. */

const NONE = { kind: "name", max: 0 } as const;
const HELP = "help version";
const USER = /^[A-Za-z_][\w-]{0,31}$/;
const PIDS = /^\d+(?:,\d+)*$/;

/** Fields of `ps -o`, each with or without a heading. The environment of a process is not among them. */
const FIELD =
  "(?:pid|ppid|pgid|pgrp|sid|sess|user|euser|ruser|uid|group|gid|%cpu|pcpu|%mem|pmem|cpu|mem|rss|rssize|vsz|vsize|tty|tt|tname|stat|state|s|start|lstart|start_time|stime|bsdstart|etime|etimes|time|cputime|comm|ucomm|command|cmd|args|nice|ni|pri|nlwp|thcount|lwp|tid|wchan|psr|class|cls)";
const FIELDS = new RegExp(`^${FIELD}(?:=[\\w %]{0,20})?(?:,${FIELD}(?:=[\\w %]{0,20})?)*$`);

const PS: ProgramSpec = {
  short: "AadefFHjlLmMNTwyZ",
  long: "forest headers no-headers cumulative deselect version",
  values: {
    "o format": FIELDS,
    O: FIELDS,
    "p pid": PIDS,
    "ppid q": PIDS,
    C: /^[\w.,:-]{1,60}$/,
    "u user": /^[\w,-]{1,60}$/,
    "U User": /^[\w,-]{1,60}$/,
    "g group": /^[\w,-]{1,60}$/,
    "t tty": /^[\w/,]{1,40}$/,
    "sort k": /^[-+]?[%\w]+(?:,[-+]?[%\w]+)*$/,
  },
  // BSD options; `e` would show the environment.
  operands: { kind: /^(?:[aAcCfghjlLmrTuvwxX]{1,8}|\d{1,9})$/ },
};

const PGREP: ProgramSpec = {
  short: "aclfinovwx",
  long: "list-full list-name count full ignore-case newest oldest inverse lightweight exact help version",
  values: {
    "d delimiter": "text",
    "P parent": PIDS,
    "u euid": /^[\w,-]{1,60}$/,
    "U uid": /^[\w,-]{1,60}$/,
    "g pgroup": PIDS,
  },
  operands: { kind: "text", max: 1 },
};

/** Without `-n`, host names are looked up over the network. */
const isNumeric = (call: ParsedCommand): boolean => hasOption(call, "-n", "--numeric");

const LSOF: ProgramSpec = {
  short: "anPltwR",
  bare: "i",
  values: {
    p: PIDS,
    u: /^\^?[\w,-]{1,60}$/,
    c: /^[\w.-]{1,40}$/,
    i: /^(?:[46]?(?:TCP|UDP|tcp|udp)?(?:@(?:127\.0\.0\.1|\[::1\]))?(?::\d{1,5}(?:[-,]\d{1,5})*)?)$/,
    s: /^(?:TCP|UDP):\^?[A-Z_]{1,20}(?:,[A-Z_]{1,20})*$/,
    d: /^[\w,^-]{1,40}$/,
  },
  operands: NONE,
  check: isNumeric,
};

export const SYSTEM_INFO: ProgramGrammars = {
  ps: PS,
  pgrep: PGREP,
  lsof: LSOF,
  ss: {
    short: "atlnupxsemoi46HOwd",
    long: "all listening numeric processes tcp udp unix summary extended memory options info ipv4 ipv6 no-header oneline raw dccp help version",
    operands: {
      kind: /^(?:state|listening|established|time-wait|close-wait|connected|sport|dport|=|==|eq|and|or|:\d{1,5})$/,
    },
  },
  netstat: {
    short: "atlnupxsrieo46W",
    long: "all listening numeric programs tcp udp unix statistics route interfaces extend wide",
    operands: NONE,
    check: isNumeric,
  },
  free: {
    short: "bkmghwtl",
    long: `bytes kilo mega giga kibi mebi gibi human wide total lohi si ${HELP}`,
    operands: NONE,
  },
  uptime: { short: "ps", long: `pretty since ${HELP}`, operands: NONE },
  vmstat: { short: "asw", long: "active stats wide", operands: NONE },
  uname: {
    short: "asnrvmpio",
    long: `all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system ${HELP}`,
    operands: NONE,
  },
  nproc: { long: `all ${HELP}`, values: { ignore: COUNT }, operands: NONE },
  lscpu: {
    short: "abcJ",
    long: "all online offline json help version",
    optional: { extended: WORD_LIST, parse: WORD_LIST },
    operands: NONE,
  },
  whoami: { long: HELP, operands: NONE },
  id: {
    short: "agGnruzp",
    long: `group groups name real user zero ${HELP}`,
    operands: { kind: USER, max: 1 },
  },
  groups: { long: HELP, operands: { kind: USER, max: 1 } },
  logname: { operands: NONE },
  who: {
    short: "abdHlmpqrstTu",
    long: `all boot dead heading count users ${HELP}`,
    operands: { kind: /^(?:am|i)$/, max: 2 },
  },
  tty: { short: "s", long: "silent quiet", operands: NONE },
  hostname: { short: "s", operands: NONE },
  locale: { short: "a", long: "all-locales", operands: NONE },
  getconf: { operands: { kind: /^_?[A-Z][A-Z\d_]{2,40}$/, min: 1, max: 1 } },
  sw_vers: { short: "", long: "productName productVersion buildVersion", operands: NONE },
  date: {
    short: "uRj",
    long: `utc universal rfc-email ${HELP}`,
    values: { "d date": "text", "r reference": "name", "rfc-3339": WORD },
    optional: { "iso-8601": WORD },
    operands: { kind: /^\+[^\0]{0,200}$/s, max: 1 },
  },
  which: { short: "as", long: "all", operands: { kind: /^[\w.+-]{1,60}$/, min: 1 } },
  whereis: { short: "bms", operands: { kind: /^[\w.+-]{1,60}$/, min: 1 } },
  type: { short: "afptP", operands: { kind: /^[\w.+:-]{1,60}$|^\[{1,2}$/, min: 1 } },
};
