import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { realWorld } from "../../src/control/real-world.ts";
import { decide } from "../../src/policy/decide.ts";
import { PERMISSION_MODES, type Verdict } from "../../src/policy/request.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { MAX_WORK, workOf } from "../../src/policy/work.ts";
import { LONG_INPUTS } from "./long-inputs.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
const world = realWorld({ HOME: scratch.world.home });
afterAll(() => scratch.close());

/** Without JSON: the inputs hold lone surrogates, and are nested deeper than it can be. */
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

/** What rules about the tool's name may need after the rest was given up. */
const BY_NAME = 10_000;

describe("a long or slow input", () => {
  it("is one of many", () => {
    expect(LONG_INPUTS.length).toBeGreaterThanOrEqual(90);
  });

  it.each(LONG_INPUTS)("is never let through for its length: $title", ({ toolName, input }) => {
    for (const mode of [...PERMISSION_MODES, "unheard-of"])
      expect(judge(toolName, input, mode).verdict, mode).not.toBe("allow");
  });

  it.each(LONG_INPUTS)("is no more work than the budget: $title", ({ toolName, input }) => {
    for (const mode of ["default", "bypassPermissions"])
      expect(workOf(() => judge(toolName, input, mode))).toBeLessThanOrEqual(MAX_WORK + BY_NAME);
  });

  it("asks in every mode where it is too long, and denies where nobody is asked", () => {
    const long = `ls ${"x".repeat(33_000)}`;
    for (const mode of PERMISSION_MODES)
      expect(bash(long, mode)).toMatchObject({
        verdict: mode === "dontAsk" ? "deny" : "ask",
        step: "protected",
        rule: "builtin/too-long",
        reason: expect.stringMatching(/too long to judge/),
      });
  });

  it("is judged up to 32 KB, in bytes", () => {
    expect(bash(`echo ${"x".repeat(32_763)}`).verdict).toBe("allow");
    expect(bash(`echo ${"x".repeat(32_764)}`).rule).toBe("builtin/too-long");
    expect(bash(`echo ${"é".repeat(16_381)}`).verdict).toBe("allow");
    expect(bash(`echo ${"é".repeat(16_382)}`).rule).toBe("builtin/too-long");
  });
});

describe("what is only long", () => {
  const lines = "A line of text, with `code`, (brackets) and {braces}.\n";

  it("is judged as what it is", () => {
    expect(bash(`cat > notes.md <<'E'\n${lines.repeat(400)}E`, "bypassPermissions").verdict).toBe("allow");
    const files = Array.from({ length: 250 }, (_, n) => `src/feature-${n}/component-${n}.tsx`).join(" ");
    expect(bash(`git add ${files}`, "bypassPermissions").verdict).toBe("allow");
    expect(bash(`wc -l ${files}`).verdict).toBe("allow");
    expect(bash(`grep -n "${"x".repeat(10_000)}" src/a.ts`).verdict).toBe("allow");
  });

  it("has no limit where it is the content of a file", () => {
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
  ])("grows no faster than the text, or uses up the budget: %j", (part) => {
    const work = (length: number) => workOf(() => bash(`ls ${part.repeat(length / part.length)}`));
    const [small, large] = [work(2_000), work(8_000)];
    if (large < MAX_WORK) expect(large / small).toBeLessThan(8);
    else expect(large).toBeLessThanOrEqual(MAX_WORK + BY_NAME);
  });

  it("is the same every time, so that no verdict depends on the machine", () => {
    for (const { toolName, input } of LONG_INPUTS.slice(0, 20)) {
      const [one, other] = [1, 2].map(() => workOf(() => judge(toolName, input, "default")));
      expect(one).toBe(other);
    }
  });
});

describe("links", () => {
  it("are followed as far as the kernel would, and no secret hides behind more of them", () => {
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
