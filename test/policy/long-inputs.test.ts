import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { realWorld } from "../../src/control/real-world.ts";
import { decide } from "../../src/policy/decide.ts";
import { PERMISSION_MODES, type Verdict } from "../../src/policy/request.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { MAX_WORK, measureWork } from "../../src/policy/work.ts";
import { LONG_INPUTS } from "./long-inputs.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
const world = realWorld({ HOME: scratch.world.home });
afterAll(() => scratch.close());

/** Not JSON: the inputs contain lone surrogates, and are nested too deep for it. */
function fill(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.startsWith("{ws}") ? scratch.ws + value.slice(4) : value;
  if (typeof value !== "object" || value === null || depth > 40) return value;
  if (Array.isArray(value)) return value.map((each) => fill(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, depth + 1)]));
}

function judge(toolName: string, input: unknown, mode: string): Verdict {
  return decide(EMPTY_POLICY, { toolName, toolInput: fill(input), mode, cwd: scratch.ws }, world);
}
const bash = (command: string, mode = "default"): Verdict => judge("Bash", { command }, mode);

/** The work left for rules about the tool's name after judging gave up. */
const BY_NAME = 10_000;

describe("a long or slow input", () => {
  it("has many variants", () => {
    expect(LONG_INPUTS.length).toBeGreaterThanOrEqual(90);
  });

  it.each(LONG_INPUTS)("is never allowed because of its length: $title", ({ toolName, input }) => {
    for (const mode of [...PERMISSION_MODES, "unheard-of"])
      expect(judge(toolName, input, mode).verdict, mode).not.toBe("allow");
  });

  it.each(LONG_INPUTS)("stays within the work budget: $title", ({ toolName, input }) => {
    for (const mode of ["default", "bypassPermissions"])
      expect(measureWork(() => judge(toolName, input, mode))).toBeLessThanOrEqual(MAX_WORK + BY_NAME);
  });

  it("is asked about in every mode when too long, and denied in a mode that never asks", () => {
    const long = `ls ${"x".repeat(33_000)}`;
    for (const mode of PERMISSION_MODES)
      expect(bash(long, mode)).toMatchObject({
        verdict: mode === "dontAsk" ? "deny" : "ask",
        step: "protected",
        rule: "builtin/too-long",
        reason: expect.stringMatching(/Too long to check/),
      });
  });

  it("is judged up to 32 KB, in bytes", () => {
    expect(bash(`echo ${"x".repeat(32_763)}`).verdict).toBe("allow");
    expect(bash(`echo ${"x".repeat(32_764)}`).rule).toBe("builtin/too-long");
    expect(bash(`echo ${"é".repeat(16_381)}`).verdict).toBe("allow");
    expect(bash(`echo ${"é".repeat(16_382)}`).rule).toBe("builtin/too-long");
  });
});

describe("padding", () => {
  /** Complete statements: whatever follows them runs. */
  const statement = fc.constantFrom(
    "ls",
    ":",
    "echo 'a b' \"c\"",
    "x=1",
    "x=$x$x",
    "cd src; cd ..",
    "cat <<E\nx $y (\nE\n",
    "cat <<'E'\n{ ` $(\nE\n",
    "f() { ls; }",
    "if true; then ls; fi",
    "for i in 1 2; do :; done",
    "case a in b) :;; esac",
    "echo $(pwd) `date`",
    "echo {a,b}{c,d} *.ts",
    "(ls; pwd)",
    "[[ a == b ]]",
    "ls | wc -l",
    "echo $" + "{x:-y} $((1+2))",
    "sed -n 1p README.md",
    "python3 -c 'print(\"a b\")'",
    "echo a > out.txt",
    "alias ll='ls -l'",
    "# a comment ' \" ( {\n",
  );
  const between = fc.constantFrom("; ", "\n", " && ", " & ");
  const put = fc.constantFrom<(inner: string) => string>(
    (inner) => inner,
    (inner) => `(${inner})`,
    (inner) => `{ ${inner}; }`,
    (inner) => `if true; then ${inner}; fi`,
    (inner) => `echo $(${inner})`,
    (inner) => `bash <<'END'\n${inner}\nEND`,
  );

  it("of any length and kind never allows a removal", () => {
    const padded = fc.record({
      parts: fc.array(fc.tuple(statement, fc.nat({ max: 400 })), { minLength: 1, maxLength: 4 }),
      between,
      put: fc.array(put, { maxLength: 3 }),
      mode: fc.constantFrom(...PERMISSION_MODES),
    });
    fc.assert(
      fc.property(padded, ({ parts, between: separator, put: wraps, mode }) => {
        const lines = parts.flatMap(([text, count]) => Array<string>(count).fill(text));
        const removal = wraps.reduce((inner, wrap) => wrap(inner), "rm -rf ~");
        // After a line break, nothing may precede the next separator.
        const script =
          lines.map((line) => (line.endsWith("\n") ? line : line + separator)).join("") + removal;
        expect([script.slice(0, 200), bash(script, mode).verdict]).not.toEqual([
          script.slice(0, 200),
          "allow",
        ]);
      }),
      { numRuns: 400 },
    );
  });
});

describe("the value of a secret variable", () => {
  const key = "$API_KEY";
  it.each([
    ["many braces after it", `echo ${key}${"{a,b}".repeat(7)}`],
    ["many braces before it", `echo ${"{a,b}".repeat(7)}${key}`],
    ["deep braces around it", `echo ${"{a,".repeat(9)}${key}${",}".repeat(9)}`],
    ["braces in a here-string", `cat <<< ${key}${"{a,b}".repeat(7)}`],
    ["a long here-document", `cat <<E\n${key}${"$HOME".repeat(2_000)}\nE`],
    ["a long value", `x="${key}${"$HOME".repeat(900)}"; echo $x`],
    [
      "many values",
      `${"x=1; x=2; ".repeat(3)}${Array.from({ length: 20 }, (_, n) => `x=a${n}`).join("; ")}; x=${key}; echo $x`,
    ],
    [
      "many variables between",
      `y0=${key}; ${Array.from({ length: 30 }, (_, n) => `y${n + 1}=$y${n}`).join("; ")}; echo $y30`,
    ],
    ["a long name", `echo $${"A".repeat(120)}_API_KEY`],
    ["a long name for printenv", `printenv ${"A".repeat(120)}_API_KEY`],
  ])("is not shown without asking behind %s", (_what, command) => {
    expect(bash(`echo ${key}`).verdict).toBe("ask");
    expect(bash(command).verdict).toBe("ask");
  });

  it("does not count without a variable", () => {
    expect(bash(`echo ${"{a,b}".repeat(7)}`).verdict).toBe("allow");
    const items = Array.from({ length: 30 }, (_, n) => `item-${n}`).join(" ");
    expect(bash(`for i in ${items}; do echo $i; done`).verdict).toBe("allow");
  });
});

describe("a harmless long input", () => {
  const lines = "A line of text, with `code`, (brackets) and {braces}.\n";

  it("is judged normally", () => {
    expect(bash(`cat > notes.md <<'E'\n${lines.repeat(400)}E`, "bypassPermissions").verdict).toBe("allow");
    const files = Array.from({ length: 250 }, (_, n) => `src/feature-${n}/component-${n}.tsx`).join(" ");
    expect(bash(`git add ${files}`, "bypassPermissions").verdict).toBe("allow");
    expect(bash(`wc -l ${files}`).verdict).toBe("allow");
    expect(bash(`grep -n "${"x".repeat(10_000)}" src/a.ts`).verdict).toBe("allow");
  });

  it("has no limit as the content of a file", () => {
    const write = (input: object, toolName = "Write") => judge(toolName, input, "acceptEdits").rule;
    const file_path = "{ws}/src/a.ts";
    const content = lines.repeat(50_000);
    expect(write({ file_path, content })).toBe("builtin/accept-edits");
    expect(write({ file_path, old_string: content, new_string: content }, "Edit")).toBe(
      "builtin/accept-edits",
    );
    expect(judge("mcp__fs__write_file", { path: file_path, content }, "bypassPermissions").rule).toBe(
      "builtin/bypass-mode",
    );
    expect(judge("TodoWrite", { todos: [{ content }] }, "default").verdict).toBe("allow");
  });
});

describe("content full of prefixes of secrets", () => {
  /** More than the daemon's own thread does, so that a worker does it. */
  const QUICK = MAX_WORK / 10;

  it.each([
    '"password="',
    "KEY=",
    "pass:",
    "token: ",
    "sk-",
    "ghp_",
    "AKIA",
    "eyJ",
    "Authorization: ",
    "--password ",
    "mongodb://a:b",
    "<password>",
    "password:\n",
    "\u001b[0m",
    "%20",
    "\u200b",
    '||"',
  ])("counts as work, and is given up on beyond the budget: %j", (part) => {
    const content = part.repeat(1_000_000 / part.length);
    const input = { file_path: "{ws}/src/a.ts", content };
    const work = measureWork(() => judge("Write", input, "acceptEdits"));
    expect(work).toBeGreaterThan(QUICK);
    expect(work).toBeLessThanOrEqual(MAX_WORK + BY_NAME);
    const edit = { file_path: "{ws}/src/a.ts", edits: [{ old_string: "a", new_string: content }] };
    expect(measureWork(() => judge("MultiEdit", edit, "acceptEdits"))).toBeGreaterThan(QUICK);
  });
});

describe("work", () => {
  it.each([
    "ls; ",
    "a/",
    "a ",
    "x=1; ",
    "'a' ",
    "$a",
    "cat a | ",
    "echo $(ls); ",
    "cat <<E\nx\nE\n",
    "> a ",
    "a/../",
    "{a,b} ",
    "*",
    "sed s/a/b/ x; ",
    "python3 -c 'f(\"a b\")'; ",
    "\\\n",
    "# x\n",
  ])("grows linearly with the text, or uses up the budget: %j", (part) => {
    const work = (length: number) => measureWork(() => bash(`ls ${part.repeat(length / part.length)}`));
    const [small, large] = [work(2_000), work(8_000)];
    if (large < MAX_WORK) expect(large / small).toBeLessThan(8);
    else expect(large).toBeLessThanOrEqual(MAX_WORK + BY_NAME);
  });

  it("is deterministic, so no verdict depends on the machine", () => {
    for (const { toolName, input } of LONG_INPUTS.slice(0, 20)) {
      const [first, second] = [1, 2].map(() => measureWork(() => judge(toolName, input, "default")));
      expect(first).toBe(second);
    }
  });
});

describe("links", () => {
  it("are followed as far as the kernel does, so no secret hides behind a chain", () => {
    const secret = (path: string) =>
      judge("Read", { file_path: join(scratch.ws, path) }, "bypassPermissions");
    mkdirSync(join(scratch.ws, "links"));
    symlinkSync(".", join(scratch.ws, "links/a"));
    symlinkSync("loop-b", join(scratch.ws, "links/loop-a"));
    symlinkSync("loop-a", join(scratch.ws, "links/loop-b"));
    symlinkSync("../.env", join(scratch.ws, "links/l0"));
    for (let n = 0; n < 100; n++) symlinkSync(`l${n}`, join(scratch.ws, `links/l${n + 1}`));
    for (const count of [1, 30, 1_000, 10_000])
      expect(secret(`links/${"a/".repeat(count)}../.env`).verdict, String(count)).toBe("ask");
    expect(secret("links/l30").rule).toBe("builtin/read-secret-file");
    expect(bash("cat links/loop-a/x").verdict).toBe("allow");
    expect(bash("cat links/l30").rule).toBe("builtin/read-secret-file");
  });
});
