import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { PERMISSION_MODES } from "../../src/policy/request.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { growth } from "../../src/privacy/growth.testing.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
afterAll(() => scratch.close());

function verdictOn(command: string, mode: string): string {
  const request = { toolName: "Bash", toolInput: { command }, mode, cwd: scratch.ws };
  return decide(EMPTY_POLICY, request, scratch.world).verdict;
}

/** Alternative spellings; the shell reads all of them alike. */
const quoted = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    text,
    `'${text}'`,
    `"${text}"`,
    `$'${text}'`,
    [...text].map((char) => `\\${char}`).join(""),
    `${text.slice(0, 1)}''${text.slice(1)}`,
    `""${text}`,
  );

const flags = fc
  .constantFrom(
    ["-rf"],
    ["-fr"],
    ["-Rf"],
    ["-rfv"],
    ["-r", "-f"],
    ["-f", "-R"],
    ["--recursive", "--force"],
    ["--force", "-r"],
    ["-rf", "--no-preserve-root"],
    ["--no-preserve-root", "-r", "-f"],
    ["-rf", "--one-file-system"],
    ["-r"],
  )
  .chain((all) => fc.tuple(...all.map(quoted)));

const target = fc.oneof(
  fc.constantFrom("/", "//", "/./", "/etc", "/usr", "/home", "/tmp/../").chain(quoted),
  fc.constantFrom(
    "~",
    "~/",
    "$HOME",
    '"$HOME"',
    "$" + "{HOME}",
    '"$' + '{HOME}/"',
    "~/*",
    "/*",
    "/{bin,etc,usr}",
    "../..",
    "..",
    "/e*",
    "$HOME/..",
  ),
);

const name = fc.oneof(
  quoted("rm"),
  fc.constantFrom("/bin/rm", "/usr/bin/rm", "r\\m", "$(which rm)", "`which rm`"),
);

const removal = fc
  .record({ name, flags, target, order: fc.boolean(), end: fc.constantFrom("", "-- ") })
  .map(({ name, flags, target, order, end }) =>
    order ? `${name} ${flags.join(" ")} ${end}${target}` : `${name} ${target} ${flags.join(" ")}`,
  );

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const wrap = fc.constantFrom<(inner: string) => string>(
  (inner) => inner,
  (inner) => `sudo ${inner}`,
  (inner) => `sudo -u root ${inner}`,
  (inner) => `env ${inner}`,
  (inner) => `env A=1 -u B ${inner}`,
  (inner) => `env -iu B ${inner}`,
  (inner) => `sudo -Eu root ${inner}`,
  (inner) => `runuser -u root -- ${inner}`,
  (inner) => `parallel ::: ${single(inner)}`,
  (inner) => `A=1 ${inner}`,
  (inner) => `timeout -s KILL 5 ${inner}`,
  (inner) => `nice -n 5 ${inner}`,
  (inner) => `nohup ${inner}`,
  (inner) => `command ${inner}`,
  (inner) => `busybox ${inner}`,
  (inner) => `xargs ${inner}`,
  (inner) => `sh -c ${single(inner)}`,
  (inner) => `bash -lc ${single(inner)}`,
  (inner) => `eval ${single(inner)}`,
  (inner) => `watch ${single(inner)}`,
  (inner) => `sudo bash -c ${single(inner)}`,
);

/** Programs that pass a command on without being known to. */
const carry = fc.constantFrom<(inner: string) => string>(
  (inner) => `docker exec x ${inner}`,
  (inner) => `poetry run ${inner}`,
  (inner) => `some-runner --flag -- ${inner}`,
  (inner) => `ssh host ${single(inner)}`,
  (inner) => `kubectl exec pod -- sh -c ${single(inner)}`,
);

const place = fc.constantFrom<(inner: string) => string>(
  (inner) => inner,
  (inner) => `ls; ${inner}`,
  (inner) => `ls && ${inner}`,
  (inner) => `ls || ${inner}`,
  (inner) => `ls | ${inner}`,
  (inner) => `ls\n${inner}`,
  (inner) => `${inner}; ls`,
  (inner) => `${inner} && ls`,
  (inner) => `${inner} | cat`,
  (inner) => `${inner} > /dev/null 2>&1`,
  (inner) => `${inner} &`,
  (inner) => `(${inner})`,
  (inner) => `( ls; ${inner} )`,
  (inner) => `{ ${inner}; }`,
  (inner) => `echo $(${inner})`,
  (inner) => `echo "$(${inner})"`,
  (inner) => `if true; then ${inner}; fi`,
  (inner) => `for i in 1 2; do ${inner}; done`,
  (inner) => `while ${inner}; do ls; done`,
  (inner) => `f() { ${inner}; }; f`,
  (inner) => `cat <(${inner})`,
  (inner) => `! ${inner}`,
  (inner) => `trap -- ${single(inner)} EXIT`,
  (inner) => `PAGER=${single(inner)} man ls`,
  (inner) => `env PAGER=${single(inner)} man ls`,
  (inner) => `echo ${single(inner)} > x.sh; bash x.sh`,
  (inner) => `git commit -m "x" && ${inner} # ok`,
);

const dangerous = fc
  .record({
    removal,
    wraps: fc.array(wrap, { maxLength: 3 }),
    places: fc.array(place, { maxLength: 3 }),
  })
  .map(({ removal, wraps, places }) =>
    places.reduce(
      (inner, put) => put(inner),
      wraps.reduce((inner, put) => put(inner), removal),
    ),
  );

describe("a destructive removal", () => {
  it("is never allowed in any mode, however it is written", () => {
    fc.assert(
      fc.property(dangerous, fc.constantFrom(...PERMISSION_MODES, "unheard-of"), (command, mode) => {
        expect(verdictOn(command, mode)).not.toBe("allow");
      }),
      { numRuns: 3_000 },
    );
  });

  it("is never allowed through an unknown program", () => {
    const plain = fc.record({ flags, target, carry, put: place });
    fc.assert(
      fc.property(plain, ({ flags, target, carry, put }) => {
        const command = put(carry(`rm ${flags.join(" ")} ${target}`));
        expect([command, verdictOn(command, "bypassPermissions")]).not.toEqual([command, "allow"]);
      }),
      { numRuns: 500 },
    );
  });

  it("is denied, not just asked about, when written plainly", () => {
    const plain = fc.record({ flags, target, wraps: fc.array(wrap, { maxLength: 2 }), put: place });
    fc.assert(
      fc.property(plain, ({ flags, target, wraps, put }) => {
        const removal = `rm ${flags.join(" ")} ${target}`;
        const command = put(wraps.reduce((inner, each) => each(inner), removal));
        expect([command, verdictOn(command, "bypassPermissions")]).toEqual([command, "deny"]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("commands that only look", () => {
  const file = fc.constantFrom("README.md", "src/a.ts", "./src", ".", "src/*.ts", "'a file.txt'", "no/such");
  const looking = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("ls -la", "cat", "head -n 5", "tail -3", "wc -l", "stat", "du -sh", "sort -r", "nl"),
        file,
      )
      .map((words) => words.join(" ")),
    fc
      .tuple(
        fc.constantFrom("grep -rn", "grep -i", "rg -n", "grep -c"),
        fc.constantFrom("foo", "'rm -rf /'", "shutdown", "'a|b'"),
        // The workspace as a whole contains a secret.
        file.filter((name) => name !== "."),
      )
      .map((words) => words.join(" ")),
    fc
      .tuple(
        fc.constant("find"),
        fc.constantFrom(".", "src"),
        fc.constantFrom("-name '*.ts'", "-type f", "-newer README.md"),
      )
      .map((words) => words.join(" ")),
    fc.constantFrom(
      "git status",
      "git log --format=%h -3",
      "git diff",
      "git show HEAD",
      "git branch -a",
      "pwd",
      "date",
      "whoami",
      "node --version",
      "true",
      "echo done",
      "uname -a",
      "sed -n 1,5p README.md",
      "awk '{print $2}' README.md",
      "jq .name package.json",
    ),
  );

  it("are never asked about in default mode, alone or in chains", () => {
    const chain = fc
      .tuple(
        fc.array(looking, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(" && ", "; ", " | ", " || ", "\n"),
      )
      .map(([commands, between]) => commands.join(between));
    const wrapped = fc
      .tuple(
        chain,
        fc.constantFrom<(inner: string) => string>(
          (x) => x,
          (x) => `(${x})`,
          (x) => `cd src && ${x}`,
          (x) => `{ ${x}; } 2>/dev/null`,
        ),
      )
      .map(([command, put]) => put(command));
    fc.assert(
      fc.property(wrapped, (command) => {
        expect([command, verdictOn(command, "default")]).toEqual([command, "allow"]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("deciding", () => {
  it("never throws, and always gives a reason", () => {
    const tool = fc.oneof(
      fc.constantFrom("Bash", "Write", "Edit", "Read", "Grep", "NotebookEdit", "mcp__x__write", "WebFetch"),
      fc.string(),
    );
    const input = fc.oneof(
      fc.record({
        command: fc.oneof(
          fc.string(),
          fc.constantFrom("constructor x", "toString -o x", "__proto__ .env", "valueOf < x"),
          fc.string({ unit: fc.constantFrom(..."rm -f/~$(){}[]'\"`\\|&;<>!*?#=\n azx1") }),
        ),
      }),
      fc.record({ file_path: fc.string(), content: fc.string() }),
      fc.jsonValue(),
    );
    const rule = fc.record({
      id: fc.constant("x"),
      source: fc.constant("user" as const),
      match: fc.oneof(fc.string(), fc.constantFrom("Bash(*)", "(a+)+$", "*", "Edit(**)", "[", "mcp__.*")),
      // biome-ignore lint/suspicious/noThenProperty: the word of a rule
      then: fc.constantFrom("allow" as const, "deny" as const, "ask" as const, "rewrite" as const),
      reason: fc.constant(null),
      project: fc.constant(null),
      agentType: fc.constant(null),
      modes: fc.constant(null),
      set: fc.constant(null),
      replace: fc.array(fc.record({ field: fc.constant("command"), find: fc.string(), with: fc.string() }), {
        maxLength: 2,
      }),
    });
    fc.assert(
      fc.property(
        tool,
        input,
        fc.array(rule, { maxLength: 2 }),
        fc.array(fc.string(), { maxLength: 2 }),
        (toolName, toolInput, rules, protect) => {
          const request = { toolName, toolInput, mode: "default", cwd: scratch.ws };
          const verdict = decide({ rules, protect }, request, scratch.world);
          expect(["allow", "deny", "ask"]).toContain(verdict.verdict);
          expect(verdict.reason.length).toBeGreaterThan(5);
          expect(verdict.rule).not.toBe("");
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each([
    "rm -rf x; ",
    "a=$b ",
    "echo $(ls) ",
    "x && ",
    "cat .env | ",
    "{a,b}",
    "'",
    "$((1+",
    "ls -la /etc ",
    "f() { ",
    "d=$d/x; ",
    "echo ls > x; bash x; ",
    "a=$b; b=$a$c; ",
    "find . | xargs rm; ",
    "sed 's/a/b/e' x; ",
    "docker exec x rm y; ",
    "python3 -c 'rm -r x'; ",
    "1",
    "awk 'print x",
    "x[y",
    "[[ a -eq b ]]; ",
    "ls [",
    "ls *; ",
    "find a -name b -exec c {} \\; ",
    "-exec c {} \\; ",
    "grep -r x src; ",
    "yq .aa",
    "printf %0",
    "git log -1 --format=%h; ",
  ])("takes linear time: %j", (part) => {
    expect(growth((text) => verdictOn(text, "default"), part, 2_000)).toBeLessThan(24);
  });
});
