// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are a shell's
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { openScratchWorld } from "./scratch-world.ts";

/** Nothing beyond a limit is allowed: harmless parts in front must not hide a dangerous one. */

const scratch = openScratchWorld();
const DAEMON = 4_242;

beforeAll(() => {
  for (const folder of ["conf", "sub", "many"]) mkdirSync(join(scratch.ws, folder));
  for (const file of ["conf/credentials.json", "sub/.env", "many/credentials.json"])
    writeFileSync(join(scratch.ws, file), "x\n");
  for (let at = 0; at < 450; at++) writeFileSync(join(scratch.ws, "many", `a${at}.json`), "x\n");
});

afterAll(() => scratch.close());

function judge(toolName: string, toolInput: unknown): string {
  const own = { dir: join(scratch.world.home, ".hookline"), port: 4_711, pid: DAEMON };
  const push = {
    id: "no-push",
    match: "Bash(git push*)",
    // biome-ignore lint/suspicious/noThenProperty: the word of a rule
    then: "deny",
    modes: null,
    agentType: null,
    project: null,
    reason: null,
  } as const;
  const request = { toolName, toolInput, mode: "bypassPermissions", cwd: scratch.ws };
  return decide({ rules: [push as never], protect: [], own }, request, scratch.world).verdict;
}

function repeat(count: number, text: (at: number) => string, sign = " "): string {
  return Array.from({ length: count }, (_, at) => text(at)).join(sign);
}

function list<T>(count: number, item: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

/** The same folder, spelled with this many characters. */
const here = (length: number): string => "./".repeat(length / 2);
const WORDS = repeat(1_100, () => "b");
const LITERALS = repeat(201, (at) => `"a${at}"`, ";");
const VALUES = repeat(220, (at) => `p=x${at}`, "; ");
const SOME_VALUES = repeat(20, (at) => `p=x${at}`, "; ");

describe("a command", () => {
  it.each([
    ["git -C ~/.ssh add foo", "git -C . -C a -C ../a -C ../b -C ~/.ssh add foo"],
    [`python3 -c 'open(".env")'`, `python3 -c 'open("${here(1_200)}.env")'`],
    [`python3 -c 'open(".env")'`, `python3 -c 'open("${here(2_200)}.env")'`],
    [`python3 -c 'os.system("cat .env")'`, `python3 -c 'os.system("cat ${WORDS} .env")'`],
    [`python3 -c 'open("settings.txt")'`, `python3 -c 'x=[${LITERALS}]; open("settings.txt")'`],
    [
      `python3 -c 'os.system("git clean -fdx ~")'`,
      `python3 -c 'x=[${LITERALS}]; os.system("git clean -fdx ~")'`,
    ],
    [`python3 -c 'shutil.rmtree("/usr")'`, `python3 -c 'x=[${LITERALS}]; shutil.rmtree("/usr")'`],
    [
      `python3 -c 'os.system("b() { b | b & }; b")'`,
      `python3 -c 'os.system("${"b() { b | b & }; b".replaceAll("b", "b".repeat(70))}")'`,
    ],
    ["perl -e 'system q{cat .env}'", `perl -e 'system q{cat ${WORDS} .env}'`],
    ["perl -e 'system q{rm -rf ~}'", `perl -e 'system q{rm -rf ${WORDS} ~}'`],
    ["x='_a _.env'; cat ${x//_/}", `x='${repeat(12, (at) => `_a${at}`)} _.env'; cat \${x//_/}`],
    ["x=_.env; cat ${x##*_}", `x=${"_".repeat(300)}.env; cat \${x##*_}`],
    ["x=_.env; cat ${x/*_/}", `x=${"_".repeat(70)}.env; cat \${x/*_/}`],
    ['x="b .env"; cat $x', `x="${repeat(2_100, () => "b")} .env"; cat $x`],
    [
      `x="shutil.rmtree('/usr')"; python3 -c "$x"`,
      `x="#${"a".repeat(4_200)}\nshutil.rmtree('/usr')"; python3 -c "$x"`,
    ],
    [`p=${DAEMON}; kill $p`, `${SOME_VALUES}; p=${DAEMON}; kill $p`],
    [`p=${DAEMON}; kill $p`, `${VALUES}; p=${DAEMON}; kill $p`],
    ["p=hookline; pkill $p", `${SOME_VALUES}; p=hookline; pkill $p`],
    ["p=/; chmod -R 777 $p", `${SOME_VALUES}; p=/; chmod -R 777 $p`],
    ["p=/dev/sda; echo x > $p", `${SOME_VALUES}; p=/dev/sda; echo x > $p`],
    ["p=~/.ssh; cd $p; cat foo", `${SOME_VALUES}; p=~/.ssh; cd $p; cat foo`],
    ["p=http://localhost:4711/; curl $p", `${SOME_VALUES}; p=http://localhost:4711/; curl $p`],
    ["p='rm -rf /'; ssh h \"$p\"", `${SOME_VALUES}; p='rm -rf /'; ssh h "$p"`],
    [
      "for v in status push; do for y in a b; do git $v $y; done; done",
      `for v in ${repeat(12, (at) => `s${at}`)} push; do for y in a b c d; do git $v $y; done; done`,
    ],
    ["git -c a=1 push", `git ${repeat(8, (at) => `-c user.a${at}=1`)} push`],
    [
      "pushd ~/.ssh; pushd /tmp; popd; cat foo",
      `pushd ~/.ssh; ${repeat(12, (at) => `pushd /tmp/${at}`, "; ")}; ${repeat(12, () => "popd", "; ")}; cat foo`,
    ],
    ["cd a || cd ~/.ssh; cat foo", `${repeat(10, (at) => `cd a${at}`, " || ")} || cd ~/.ssh; cat foo`],
    [
      "echo settings.txt | while read f; do cat $f; done",
      `echo ${repeat(101, (at) => `a${at}`)} settings.txt | while read f; do cat $f; done`,
    ],
    [
      "find . -name .env > l; while read f; do cat $f; done < l",
      `${repeat(101, () => "true", "; ")}; find . -name .env > l; while read f; do cat $f; done < l`,
    ],
    [
      "find . -regex '.*/\\.env' -exec cat {} +",
      `find . -regex '${"(.*/)?".repeat(90)}.*/\\.env' -exec cat {} +`,
    ],
    ["find . | grep '\\.env$' | xargs cat", `find . | grep '${"x*".repeat(260)}\\.env$' | xargs cat`],
    ["cat conf/*", `cat ${here(1_200)}conf/*`],
    ["cat conf/*", "cat conf/[[:alpha:]]*"],
    ["cat conf/*", "cat many/*"],
    ["shopt -s dotglob; cat sub/*", `shopt -s dotglob; cat ${here(1_200)}sub/*`],
    ["npm config set script-shell x", `npm ${repeat(41, (at) => `--a${at}=1`)} config set script-shell x`],
    ["ssh h reboot now", "ssh -a -b -c -d -e h reboot now"],
    ["ssh h git clean -fdx /", "ssh -a -b -c -d -e h git clean -fdx /"],
    ["sed -n 's/a/b/w .env' a", `sed -n 's/a/b/${"I".repeat(10)}w .env' a`],
  ])("that is not allowed is not allowed behind harmless parts either: %s", (plain, hidden) => {
    expect(judge("Bash", { command: plain })).not.toBe("allow");
    expect(judge("Bash", { command: hidden })).not.toBe("allow");
  });
});

describe("the input of another tool", () => {
  const code = "import os\nos.system('cat .env')";
  const template = { t: "rm -rf {p}", p: "/usr" };
  const patch = (file: string): string => `--- a/x\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\n`;
  const longRm = `${"/bin/..".repeat(40)}/bin/rm -rf ~`;
  const words = Object.fromEntries(list(9, (at) => [`n${at}`, `w${at}`]));
  const columns = repeat(200, (at) => `c${at}`, ",");
  const key = `http+unix://${encodeURIComponent(scratch.world.home)}%2F.hookline%2Ftoken`;
  it.each([
    ["x__fetch", { files: ".env" }, { files: `${repeat(60, (at) => `a${at}`, "\n")}\n.env` }],
    [
      "x__exec",
      { cwd: "/", command: "rm -rf usr" },
      { cwd: ["a", "b", "c", "d", "/"], command: "rm -rf usr" },
    ],
    [
      "x__foo",
      template,
      { ...Object.fromEntries(list(21, (at) => [`t${at}`, `echo {p} ${at}`])), ...template },
    ],
    ["x__foo", template, { ...template, t: `echo ${"x".repeat(4_100)}\nrm -rf {p}` }],
    ["x__foo", template, { ...template, p: `/${here(600)}usr` }],
    ["x__foo", template, { x: list(501, String), ...template }],
    ["x__kill_process", { pid: DAEMON }, { x: list(501, String), pid: DAEMON }],
    ["x__kill_process", { pids: [1] }, { pids: [...list(21, (at) => 9_000 + at), 1] }],
    ["x__kill_process", { names: ["node"] }, { names: [...list(21, (at) => `x${at}`), "node"] }],
    ["x__foo", { p: "git", a: "config core.pager x" }, { p: "git", ...words, a: "config core.pager x" }],
    [
      "x__foo",
      { text: JSON.stringify({ command: "rm -rf ~" }) },
      { text: JSON.stringify({ pad: "x".repeat(60_000), command: "rm -rf ~" }) },
    ],
    ["x__foo", { text: "rm -rf ~" }, { text: `rm -rf ${repeat(20_000, () => "b")} ~` }],
    ["x__foo", { text: code }, { text: code.replace("\n", `\n${"#\n".repeat(60_000)}`) }],
    ["x__foo", { zz: btoa("/bin/rm -rf ~") }, { zz: btoa(longRm) }],
    ["x__foo", { zz: patch(".env") }, { zz: patch(`${here(1_200)}.env`) }],
    ["x__run_cell", { code: "x = !cat .env" }, { code: `${repeat(80, (at) => `x${at}`, ",")} = !cat .env` }],
    ["x__foo", { url: key }, { url: `${key}?${"x".repeat(4_200)}` }],
    ["pg__query", { sql: "copy t to program 'id'" }, { sql: `copy t (${columns}) to program 'id'` }],
    [
      "pg__query",
      { sql: "create function f() returns int as 'x' language c" },
      { sql: `create function f(${columns}) returns int as 'x' language c` },
    ],
    [
      "mysql__query",
      { sql: "load data infile 'x' into table t" },
      { sql: `load data ${" ".repeat(300)} infile 'x' into table t` },
    ],
    [
      "mssql__query",
      { sql: "backup database x to disk = 'y'" },
      { sql: `backup database x ${" ".repeat(500)} to disk = 'y'` },
    ],
    ["sqlite__query", { sql: "vacuum m into 'x.db'" }, { sql: `vacuum ${"m".repeat(150)} into 'x.db'` }],
  ])("that is not allowed is not allowed behind harmless parts either: %s %j", (tool, plain, hidden) => {
    expect(judge(`mcp__${tool}`, plain)).not.toBe("allow");
    expect(judge(`mcp__${tool}`, hidden)).not.toBe("allow");
  });
});
