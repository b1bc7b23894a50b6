import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTools } from "../../src/agents/claude/tools.ts";

/**
 * Where a tool of Claude Code is still named outside its folder, how often, and why. Other code uses
 * `src/agents/tool-call.ts` for the kind of a call. The list only gets shorter.
 */
const EXCEPTIONS: Readonly<Record<string, { readonly names: number; readonly why: string }>> = {
  "src/cli/policy.ts": { names: 2, why: "examples of requests" },
  "src/daemon/sample-story.ts": { names: 8, why: "the sample is a session of Claude Code" },
  "src/memory/compress/describe-other.ts": { names: 1, why: "the word" },
  "src/memory/compress/unwrap-output.ts": { names: 1, why: "what Claude Code prints for no output" },
  "src/policy/decide.ts": { names: 1, why: "the language" },
  "src/policy/recipes/recipe.ts": { names: 5, why: "rules name tools" },
  "src/policy/recipes/stop-recipes.ts": { names: 1, why: "rules name tools" },
  "src/policy/rules-matcher.ts": { names: 2, why: "rules name tools" },
  "src/policy/shell/expand-word.ts": { names: 1, why: "a node of the shell parser" },
  "src/serve/mcp.ts": { names: 1, why: "an example" },
  "src/shown/show-request.ts": { names: 2, why: "the vocabulary of what is shown stands before the agents" },
  "src/store/sqlite/project-session.ts": { names: 6, why: "the default of a setting that names tools" },
  "src/web/i18n/en-lists.ts": { names: 1, why: "the word" },
  "src/web/i18n/en-session.ts": { names: 1, why: "the word" },
  "src/web/i18n/en.ts": { names: 1, why: "the word" },
  "src/web/i18n/sentences/ko-policy.ts": { names: 2, why: "Korean for the policy's reasons" },
  "src/web/policy/replay.tsx": { names: 1, why: "an example of a rule" },
  "src/web/policy/rule-form.tsx": { names: 2, why: "examples of matchers" },
  "src/web/policy/try-request.tsx": { names: 12, why: "requests to try rules with, which name tools" },
};

const root = join(import.meta.dirname, "../..");
const OWN = "src/agents/claude/";

/** Names that are also common words count only as a complete literal. */
const WORDS = new Set(["Agent", "Edit", "Monitor", "Read", "Skill", "Task", "Workflow", "Write"]);

const NAMES = [...claudeTools.names];
const anywhere = NAMES.filter((name) => !WORDS.has(name)).join("|");
const words = [...WORDS].join("|");
const NAMED = new RegExp(
  `(?<![\\w$./-])(?:${anywhere})(?![\\w$-])|(?<=["'\`|(])(?:${words})(?=["'\`|(])|^\\s*(?:${words})(?=:)`,
  "gm",
);

/** The tools that a source's code names. Pure. */
function toolsNamed(text: string): string[] {
  return [...withoutComments(text).matchAll(NAMED)].map(([name]) => name.trim());
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/.*$/gm, "");
}

function sources(): Map<string, string> {
  const paths = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => `src/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|testing)\.tsx?$/.test(path));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

describe("the names of Claude Code's tools", () => {
  it("are all searched for", () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(48);
    expect([...WORDS].filter((name) => !claudeTools.names.has(name))).toEqual([]);
    const own = readFileSync(join(root, `${OWN}tools.ts`), "utf8");
    expect(new Set(toolsNamed(own)).size).toBeGreaterThan(30);
  });

  it.each<[string, string[]]>([
    [`if (tool === "Bash") return;`, ["Bash"]],
    ["const a = { ExitPlanMode: 1 };", ["ExitPlanMode"]],
    ["  Read: file,", ["Read"]],
    [`new Set(["Edit", 'Write'])`, ["Edit", "Write"]],
    [`const match = "Edit|MultiEdit|Write";`, ["Edit", "MultiEdit", "Write"]],
    ["`Bash(git push)`", ["Bash"]],
    ["/** `Bash` */ // Grep", []],
    [`"https://example.com/Grep"`, []],
    [`title: "Read the file", Edit()`, []],
    ["interface Agent {}", []],
  ])("are found in %s", (text, names) => {
    expect(toolsNamed(text)).toEqual(names);
  });

  it("occur only in its folder, except for the listed exceptions", () => {
    const found = [...sources()]
      .filter(([path]) => !path.startsWith(OWN))
      .map(([path, text]) => [path, toolsNamed(text)] as const)
      .filter(([, names]) => names.length > 0);
    const listed = Object.entries(EXCEPTIONS).map(([path, { names }]) => [path, names]);
    expect(found.map(([path, names]) => [path, names.length])).toEqual(listed);
  });
});
