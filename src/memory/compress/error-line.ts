/**
 * Returns the line of an output that best says what went wrong; null when there is none. If no line looks
 * like an error, takes the last one, or the first one of a tool that explains itself.
 */
export function errorLine(output: string, whenNone: "first" | "last" = "last"): string | null {
  let best: string | undefined;
  let bestRank = 0;
  let first: string | undefined;
  let last: string | undefined;
  let path = "";
  let seen = 0;
  for (const raw of output.split("\n")) {
    const line = raw.length > MAX_LINE_CHARS ? raw.slice(0, MAX_LINE_CHARS).trim() : raw.trim();
    if (line === "" || NOISE.test(line)) continue;
    if (++seen > MAX_LINES) break;
    first ??= line;
    // A line that announces the next one means nothing without it.
    if (best !== undefined && best === last && best.endsWith(":")) best = `${best} ${line}`;
    last = line;
    if (PATH_LINE.test(line)) path = line;
    const rank = rankOf(line);
    if (rank <= bestRank) continue;
    best = path !== "" && LINE_AND_COLUMN.test(line) ? `${path}:${line}` : line;
    bestRank = rank;
  }
  const chosen = best ?? (whenNone === "first" ? first : last);
  return chosen === undefined ? null : plainError(chosen);
}

/** ESLint prints the file once, above its messages. */
const PATH_LINE = /^\S{1,300}\.\w{1,5}$/;
const LINE_AND_COLUMN = /^\d+:\d+ +error /;

const MAX_LINE_CHARS = 400;
const MAX_LINES = 2_000;

function rankOf(line: string): number {
  if (EXACT.test(line)) return 3;
  if (NAMED.test(line)) return 2;
  return HINT.test(line) && !NEGATED_HINT.test(line) ? 1 : 0;
}

/** The exact message of a compiler, an assertion or an exception. */
const EXACT = new RegExp(
  [
    /\berror TS\d{3,5}: /,
    /^error\[E\d{4}\]: /,
    /^(?:Uncaught |Unhandled )?(?:[\w$]{1,60}\.){0,6}(?:[A-Z][\w$]{0,60})?(?:Error|Exception)(?: \[\w{1,60}\])?: \S/,
    /^E {2,}\S.*(?:Error|assert|Exception)/,
    /^\S{1,200}\.\w{1,5}:\d+(?::\d+)?: (?:fatal )?error: /,
    /^\S{1,200}\.go:\d+(?::\d+)?: /,
    /^\d+:\d+ +error +\S/,
    /^panic: /,
    /: command not found\b/,
    /^(?:fatal|CONFLICT)[: ]/,
    /^thread '.{1,100}' panicked at/,
    /^Caused by: /,
    /^npm (?:ERR!|error) (?:Missing script|404|ERESOLVE|notarget)/,
  ]
    .map((pattern) => pattern.source)
    .join("|"),
);

const NAMED = new RegExp(
  [
    /^(?:error|fatal error|ERROR|Error|err)\b(?:\[[\w-]+\])?[:\s!]/,
    /^FAILED? \S/,
    /^--- FAIL: /,
    /^[●✖✗×] \S/,
    /^not ok \d+/,
    /^E {2,}\S/,
    /[Pp]ermission denied|No such file or directory|Operation not permitted|has been denied|needs approval/,
    /\bE(?:ACCES|NOENT|ADDRINUSE|CONNREFUSED|EXIST|PERM|ISDIR|NOTDIR|MFILE|TIMEDOUT|RESOLVE)\b|\bERR_[A-Z_]{3,}\b/,
    /timed out|[Cc]annot find|Module not found|not recogni[sz]ed|[Ss]egmentation fault|out of memory/,
    /^npm (?:ERR!|error) /,
    /오류|에러|실패/,
  ]
    .map((pattern) => pattern.source)
    .join("|"),
);

const HINT =
  /\b(?:error|errors|fail|failed|failure|fails|cannot|can't|not found|not exist|no such|could not|unable|invalid|denied|missing|undefined|unexpected|refused|abort(?:ed)?)\b|찾을 수 없|없습니다/i;
const NEGATED_HINT = /\b(?:0|no) (?:errors?|failed|failures?|problems?)\b/i;
const NOISE =
  /^(?:Exit code:? \d+|Traceback \(most recent call last\):|npm (?:ERR!|error) (?:A complete log|Lifecycle script|path |command |workspace|in workspace)|at |> |throw |\.{3}|[-=~_*^#─━⎯ ]+$|\(node:\d+\) .*Warning|Output:$|Wall time: )/;

/** Strips surrounding decoration. */
function plainError(line: string): string {
  return line
    .replace(/^E {2,}/, "")
    .replace(/^[●✖✗×]\s+/, "")
    .replace(/^Uncaught /, "")
    .replace(/^(?:\/\S{1,40}\/)?(?:ba|z|da)?sh: (?:line \d+: |\d+: )?/, "")
    .replace(/ Note: your current working directory is .*$/, "");
}

/** Where it happened: the first stack frame in the project's own code. */
export function errorLocation(output: string): string | null {
  let python: string | null = null;
  for (const raw of output.split("\n", MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE_CHARS).trim();
    if (FOREIGN_FRAME.test(line)) continue;
    const location = NODE_FRAME.exec(line)?.[1] ?? VITEST_FRAME.exec(line)?.[1] ?? RUST_FRAME.exec(line)?.[1];
    if (location !== undefined) return location.replace(/^file:\/\//, "");
    const frame = PYTHON_FRAME.exec(line);
    if (frame !== null) python = `${frame[1]}:${frame[2]}`;
  }
  return python;
}

const FOREIGN_FRAME = /node_modules|node:internal|site-packages|\(internal\/|<anonymous>|<frozen /;
const NODE_FRAME = /^at (?:[^()]{1,200} \()?((?:file:\/\/)?[^\s()]{1,300}:\d+:\d+)\)?$/;
const VITEST_FRAME = /^❯ (?:\S{1,100} )?(\S{1,300}\.\w{1,5}:\d+:\d+)$/;
const RUST_FRAME = /^--> (\S{1,300}:\d+:\d+)$/;
const PYTHON_FRAME = /^File "([^"]{1,300})", line (\d+)/;
