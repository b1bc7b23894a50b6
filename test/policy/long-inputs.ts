/** Inputs that are long, deep or slow to read. Each has a removal or a secret behind its padding. */

type Input = Readonly<Record<string, unknown>>;

export interface LongInput {
  readonly title: string;
  readonly toolName: string;
  readonly input: Input;
}

const times = (count: number, part: string): string => part.repeat(count);
const each = (count: number, part: (n: number) => string, between = "; "): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(between);
const DANGER = "rm -rf ~";

/** Scripts that end in the removal of the home, by what stands before or around it. */
const SCRIPTS: Readonly<Record<string, string>> = {
  "a comment": `# ${times(50_000, "x")}\n${DANGER}`,
  "a megabyte of a comment": `# ${times(1_000_000, "x")}\n${DANGER}`,
  "a megabyte of blanks": `${times(1_000_000, " ")}${DANGER}`,
  "a megabyte of lines": `${times(1_000_000, "\n")}${DANGER}`,
  "a megabyte of zero bytes": `${times(1_000_000, "\u0000")}${DANGER}`,
  "a megabyte in quotes": `: '${times(1_000_000, "x")}'; ${DANGER}`,
  "a long path": `rm -rf ${times(60_000, "a/")}; ${DANGER}`,
  "a path that fits": `rm -rf ${times(1_900, "a/")}; ${DANGER}`,
  "a path of 30 KB": `ls ${times(15_000, "a/")}; ${DANGER}`,
  "many paths": `ls ${each(1_200, (n) => `a${n}/b`, " ")}; ${DANGER}`,
  "many words": `echo ${times(5_000, "a ")}; ${DANGER}`,
  "many commands": `${times(5_000, "ls;")} ${DANGER}`,
  "many commands that are chained": `${times(3_000, "ls && ")} ${DANGER}`,
  "a long pipeline": `${times(3_000, "ls | ")} ${DANGER}`,
  "one long word": `echo ${times(31_000, "a")}; ${DANGER}`,
  "a word of surrogates": `echo ${times(9_000, "\ud800")}; ${DANGER}`,
  "a word of emoji": `echo ${times(7_000, "😀")}; ${DANGER}`,
  "many variables": `${each(1_500, (n) => `a${n}=b`)}; ${DANGER}`,
  "variables that double": `a0=xy; ${each(300, (n) => `a${n + 1}=$a${n}$a${n}`)}; ${DANGER}`,
  "one variable with many values": `${each(200, (n) => `a=${n}`)}; a=~; rm -rf $a`,
  "many variables in one word": `echo "${times(3_000, "$a")}"; ${DANGER}`,
  "an array of many": `a=(${times(5_000, "x ")}); ${DANGER}`,
  "a brace bomb": `echo ${times(60, "{a,b}")}; ${DANGER}`,
  "nested braces": `echo ${times(3_000, "{a,")}b${times(3_000, "}")}; ${DANGER}`,
  "braces that never close": `echo ${times(10_000, "{")}; ${DANGER}`,
  "a long sequence": `echo {1..1000000}; ${DANGER}`,
  "braces over lines": `echo ${times(8_000, "-{\\\n")}; ${DANGER}`,
  subshells: `${times(5_000, "(")}${DANGER}${times(5_000, ")")}`,
  "a few hundred subshells": `${times(300, "(")}${DANGER}${times(300, ")")}`,
  groups: `${times(400, "{ ")}${DANGER};${times(400, " }")}`,
  substitutions: `echo ${times(3_000, "$(")}${DANGER}${times(3_000, ")")}`,
  "a few dozen substitutions": `echo ${times(40, "$(echo ")}$(${DANGER})${times(40, ")")}`,
  "process substitutions": `cat ${times(2_000, "<(")}${DANGER}${times(2_000, ")")}`,
  "quoted substitutions": `echo ${times(2_000, '"$(')}${DANGER}${times(2_000, ')"')}`,
  "expansions that nest": `echo ${times(3_000, "$" + "{a:-")}x${times(3_000, "}")}; ${DANGER}`,
  "old arithmetic": `echo ${times(8_000, "$[")}; ${DANGER}`,
  arithmetic: `echo $((${times(10_000, "1+")}1)); ${DANGER}`,
  "ifs in ifs": `${times(2_000, "if true; then ")}${DANGER}${times(2_000, "; fi")}`,
  "whiles in whiles": `${times(300, "while true; do ")}${DANGER}${times(300, "; done")}`,
  "a case of many": `case a in ${times(2_000, "b) ls;; ")} *) ${DANGER};; esac`,
  "functions in functions": `${each(200, (n) => `f${n}() { `, "")}${DANGER}${times(200, "; }")}`,
  "many functions": `${each(800, (n) => `f${n}() { ls; }`)}; ${DANGER}`,
  "here-documents": `${each(1_000, (n) => `cat <<E${n}\nx\nE${n}`, "\n")}\n${DANGER}`,
  "here-documents that never end": `${times(2_000, "cat <<E\n")}${DANGER}`,
  "here-strings": `${each(900, (n) => `cat <<< ${n}`)}; ${DANGER}`,
  "a here-document for a shell": `bash <<'E'\n${times(5_000, "ls\n")}${DANGER}\nE`,
  "a quote that never closes": `${DANGER}; echo '${times(20_000, "x")}`,
  backticks: `echo ${times(10_000, "`")}; ${DANGER}`,
  backslashes: `echo ${times(15_000, "\\\\")}; ${DANGER}`,
  "lines that go on": `${times(10_000, "\\\n")}${DANGER}`,
  redirections: `ls ${times(3_000, "> a ")}; ${DANGER}`,
  "sudo upon sudo": `${times(100, "sudo ")}${DANGER}`,
  "sh -c in env in sh -c": `${times(20, "env A=1 nice ")}${DANGER}`,
  "eval upon eval": `${times(30, "eval ")}'${DANGER}'`,
  "an alias for each": `${each(300, (n) => `alias a${n}='a${n + 1}'`)}; ${DANGER}`,
  "folders that change": `${times(800, "cd a; ")}cd ~; rm -rf ../*/`,
  "steps back and forth": `cd ${times(4_000, "a/../")}; rm -rf ${times(3_000, "a/../")}/`,
  "one file, written often": `${each(40, (n) => `echo ${n} > x.sh`)}; echo '${DANGER}' > x.sh; sh x.sh`,
  "lines for xargs": `printf '${times(400, "a\\n")}~\\n' | xargs -I{} rm -rf {}`,
  "words for parallel": `parallel ::: ${times(1_500, "ls ")} '${DANGER}'`,
  "find with many": `find . ${times(500, "-name x -o ")} -exec ${DANGER} ';'`,
  "literals in python": `python3 -c 'x = [${times(2_000, '"a",')}]; import os; os.system("${DANGER}")'`,
  "one long literal": `python3 -c 'import os; os.system("${times(3_000, "true; ")}${DANGER}")'`,
  "blanks in code": `python3 -c 'os.system("rm ${times(500, " ")}-rf ${times(500, " ")}~")'`,
  "a script of sed": `sed '${times(2_000, "s/a/b/;")}1e ${DANGER}' x`,
  "a long part of sed": `sed 's/${times(2_000, "a")}/${DANGER}/e' x`,
  "options before a command": `ssh ${times(2_000, "-O")} host '${DANGER}'`,
  "awk that prints": `awk '${times(5_000, "print ")}' x; ${DANGER}`,
  "a name of digits": `${times(20_000, "1")}; ${DANGER}`,
  "slashes alone": `ls ${times(20_000, "/")}x; ${DANGER}`,
  "flags of one letter": `git clean -${times(20_000, "n")}!; ${DANGER}`,
  stars: `ls ${times(15_000, "*")}; ${DANGER}`,
  "stars between letters": `ls ${times(10_000, "*a")}; ${DANGER}`,
  brackets: `ls ${times(15_000, "[")}; ${DANGER}`,
  "globs of their own": `cat ${each(700, (n) => `a*b${n}*`, " ")}; ${DANGER}`,
  "globs with folders": `cat ${each(500, (n) => `a*/b${n}*/c?`, " ")}; ${DANGER}`,
  "braces in many words": `cat ${each(700, (n) => `a{b,c}${n}`, " ")}; ${DANGER}`,
  "wide braces": `cat {${each(3_000, (n) => `a${n}`, ",")}}; ${DANGER}`,
  "here-documents with variables": `${each(500, (n) => `cat <<E${n}\n$x$y $HOME\nE${n}`, "\n")}\n${DANGER}`,
  "aliases that are used": `${each(300, (n) => `alias a${n}='ls x${n}'`)}; ${each(200, (n) => `a${n}`)}; ${DANGER}`,
  "functions that are called": `${each(200, (n) => `f${n}() { ls $1; }`)}; ${each(200, (n) => `f${n} x`)}; ${DANGER}`,
  "variables that are used": `${each(400, (n) => `v${n}=a`)}; ${each(300, (n) => `cat $v${n}`)}; ${DANGER}`,
  "words of two variables": `${each(16, (n) => `a=${n}`)}; ${each(16, (n) => `b=${n}`)}; ${times(100, "cat $a$b; ")}${DANGER}`,
  "folders of either kind": `${each(300, (n) => `cd a${n} || cd b${n}`)}; ${DANGER}`,
  "much of git": `${each(300, (n) => `git diff a${n} b`)}; ${DANGER}`,
  "find that starts many": `find . ${each(200, (n) => `-exec cat {} x${n} \\;`, " ")}; ${DANGER}`,
  "names that fold": `cat ${each(900, (n) => `ｅ́${n}`, " ")}; ${DANGER}`,
  "quotes of all kinds": `echo ${times(3_000, "'a'\"b\"")}; ${DANGER}`,
  "text that looks like secrets": `echo ${times(5_000, "token=")}; ${DANGER}`,
};

/** Other ways to a removal or a secret, by tools that name a path or run something. */
const CALLS: readonly LongInput[] = [
  call("a path with many dots to a secret", "Read", { file_path: `{ws}/${times(3_000, "./")}.env` }),
  call("a path with many steps to a secret", "Read", { file_path: `{ws}/${times(2_000, "src/../")}.env` }),
  call("a megabyte of a path", "Read", { file_path: `{ws}/${times(500_000, "a/")}` }),
  call("a megabyte of a path to write", "Write", { file_path: `{ws}/${times(500_000, "a/")}`, content: "x" }),
  call("a secret behind many slashes", "Write", { file_path: `{ws}${times(5_000, "/")}.env`, content: "x" }),
  call("a glob of many choices", "Grep", { pattern: "x", glob: `{${times(100, "a,")}.env}` }),
  call("a glob of many stars", "Grep", { pattern: "x", glob: `{${times(400, "a*b,")}.env}` }),
  call("globs in lists of lists", "mcp__x__run", {
    commands: Array.from({ length: 300 }, () => [["cat"], ["a*b", "c*d"]]),
  }),
  call("globs in a list", "mcp__x__run", { args: ["cat", ...manyOf(900, (n) => `a*b${n}`), "{ws}/.env"] }),
  call("lists in lists in lists", "mcp__x__run", {
    commands: [...manyOf(200, (n) => [[[[["cat", `x${n}`, "*.k?y"]]]]]), DANGER],
  }),
  call("paths of their own", "mcp__fs__write_files", {
    paths: [...manyOf(1_500, (n) => `src/a${n}/b.ts`), "{ws}/.env"],
  }),
  call("short names of paths", "mcp__fs__read_files", {
    paths: [...manyOf(900, (n) => `GITHU~1/x${n}`), "{ws}/.env"],
  }),
  call("many fields with paths", "mcp__x__do", {
    ...Object.fromEntries(manyOf(1_900, (n) => [`path${n}`, `src/a${n}.ts`])),
    path: "{ws}/.env",
  }),
  call("a long glob", "Grep", { pattern: "x", glob: `{${times(400, "a,")}.env}` }),
  call("a glob that doubles", "Grep", { pattern: "x", glob: `${times(30, "{a,b}")}/.env` }),
  call("a secret deep in an input", "mcp__fs__read", nested(12, { path: "{ws}/.env" })),
  call("a command deep in an input", "mcp__x__run", nested(12, { command: DANGER })),
  call("an input that is nested without end", "mcp__x__run", nested(5_000, { command: DANGER })),
  call("a command behind many", "mcp__x__run", { commands: [...Array(2_000).fill("ls"), DANGER] }),
  call("a path behind many", "mcp__fs__write_files", { paths: [...Array(900).fill("a.ts"), "{ws}/.env"] }),
  call("a field behind many", "mcp__x__run", {
    ...Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`, "x"])),
    command: DANGER,
  }),
  call("a megabyte of code", "mcp__x__run", { code: `${times(250_000, "ls; ")}${DANGER}` }),
  call("many long commands", "mcp__x__run", {
    commands: Array(300).fill(`${times(2_000, "ls; ")}${DANGER}`),
  }),
  call("words of a command", "mcp__x__run", { command: ["sh", "-c", `${times(9_000, "ls; ")}${DANGER}`] }),
  call("arguments of a command", "mcp__x__run", {
    command: "sh",
    args: ["-c", `${times(9_000, ":;")}${DANGER}`],
  }),
  call("a long name of a tool", `mcp__${times(300, "x")}__run`, { command: DANGER }),
];

export const LONG_INPUTS: readonly LongInput[] = [
  ...Object.entries(SCRIPTS).map(([title, command]) => call(title, "Bash", { command })),
  ...CALLS,
];

function manyOf<T>(count: number, part: (n: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, n) => part(n));
}

function call(title: string, toolName: string, input: Input): LongInput {
  return { title, toolName, input };
}

function nested(depth: number, inner: Input): Input {
  let value = inner;
  for (let n = 0; n < depth; n++) value = { a: value };
  return value;
}
