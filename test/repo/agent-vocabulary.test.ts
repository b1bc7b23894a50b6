import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Where a field, a path, a variable or a command of Claude Code still occurs outside its
 * folder, how often, and why. Other code uses a part of the adapter. The list only gets shorter.
 */
const EXCEPTIONS: Readonly<Record<string, { readonly words: number; readonly why: string }>> = {
  "src/cli/policy-test.ts": {
    words: 10,
    why: "requests on stdin have the words of hooks: a format of this command",
  },
  "src/cli/policy.ts": { words: 4, why: "examples of that format" },
  "src/config.ts": { words: 1, why: "the text of a setting" },
  "src/control/caller-credentials.ts": { words: 6, why: "drives Claude Code: what it logs in with" },
  "src/control/claim-request-id.ts": { words: 1, why: "the law of identity: which ids of calls are unique" },
  "src/control/find-claude.ts": { words: 5, why: "drives Claude Code: its program" },
  "src/control/from-sdk.ts": { words: 3, why: "drives Claude Code: messages of its SDK" },
  "src/control/gate.ts": { words: 6, why: "drives Claude Code: hooks of its SDK" },
  "src/control/session-env.ts": { words: 4, why: "drives Claude Code: its environment" },
  "src/control/trust/describe-project.ts": {
    words: 1,
    why: "drives Claude Code: what it would load of a project",
  },
  "src/control/trust/mcp-servers.ts": {
    words: 1,
    why: "drives Claude Code: what it would load of a project",
  },
  "src/control/trust/named-programs.ts": {
    words: 2,
    why: "drives Claude Code: what it would load of a project",
  },
  "src/control/trust/project-folders.ts": {
    words: 1,
    why: "drives Claude Code: what it would load of a project",
  },
  "src/control/trust/read-project.ts": {
    words: 2,
    why: "drives Claude Code: what it would load of a project",
  },
  "src/control/trust/trust.ts": { words: 1, why: "drives Claude Code: what it would load of a project" },
  "src/control/trust/unapproved-files.ts": {
    words: 1,
    why: "drives Claude Code: what it would load of a project",
  },
  "src/daemon/sample-story.ts": { words: 21, why: "the sample is a session of Claude Code" },
  "src/daemon/sample.ts": { words: 2, why: "the sample is a session of Claude Code" },
  "src/event/control-events.ts": {
    words: 1,
    why: "verdicts that name no agent are about Claude Code's calls",
  },
  "src/event/ids.ts": { words: 3, why: "the law of identity: which ids of calls are unique" },
  "src/memory/summarise/call-sdk.ts": { words: 1, why: "asks a model through Claude Code's SDK" },
  "src/memory/summarise/claude-env.ts": { words: 11, why: "asks a model through Claude Code's SDK" },
  "src/policy/decide.ts": { words: 1, why: "the policy knows the files of every agent" },
  "src/policy/own-commands.ts": {
    words: 2,
    why: "the policy knows the variables that move an agent's files",
  },
  "src/policy/runs-later-agents.ts": { words: 3, why: "the policy knows the files of every agent" },
  "src/policy/runs-later-files.ts": { words: 9, why: "the policy knows the files of every agent" },
  "src/policy/secret-names.ts": { words: 1, why: "the policy knows the files of every agent" },
  "src/privacy/forgotten-text.ts": { words: 2, why: "keys that may stand in what is forgotten" },
  "src/serve/worker-routes.ts": {
    words: 15,
    why: "the routes of claude-mem's worker, whose words are those of hooks",
  },
  "src/serve/worker-sessions.ts": {
    words: 5,
    why: "the routes of claude-mem's worker, whose words are those of hooks",
  },
  "src/serve/worker-turns.ts": {
    words: 4,
    why: "the routes of claude-mem's worker, whose words are those of hooks",
  },
  "src/store/sqlite/open-claude-mem.ts": { words: 1, why: "what claude-mem recorded was of Claude Code" },
  "src/web/i18n/en-daemon.ts": { words: 1, why: "the text of a setting" },
  "src/web/i18n/en.ts": { words: 1, why: "why no session can be driven" },
  "src/web/i18n/ko-daemon.ts": { words: 1, why: "the text of a setting" },
  "src/web/i18n/ko.ts": { words: 1, why: "why no session can be driven" },
  "src/web/i18n/sentences/ko-sessions.ts": {
    words: 10,
    why: "Korean for the daemon's sentences about sessions",
  },
};

/** Columns of our own tables with the same names as payload fields. */
const TABLES = "src/store/sqlite/";
const COLUMNS = new Set(["agent_id", "prompt_id", "tool_name", "tool_use_id"]);

const root = join(import.meta.dirname, "../..");
const OWN = "src/agents/claude/";

/** Fields of its hook payloads, without common words such as `prompt`. */
const FIELDS =
  "hook_event_name|tool_name|tool_input|tool_response|tool_use_id|transcript_path|permission_mode|prompt_id|agent_id|agent_type|stop_hook_active|last_assistant_message|permission_suggestions|agent_transcript_path|hookSpecificOutput|hookEventName|additionalContext|permissionDecisionReason|suppressOriginalPrompt|systemMessage";
/** `.claude`, `.claude.json`; `CLAUDE_…`, `CLAUDECODE`; `claude --resume` and the like; its id; ids of its calls; its models. */
const NAMED = new RegExp(
  [
    `(?<![\\w$-])(?:${FIELDS})(?![\\w$-])`,
    "(?<![\\w$)\\].])\\.claude(?=[\"'`/\\\\. ()}*-]|$)",
    "(?<![\\w$])CLAUDE(?:_[A-Z]|CODE\\b)",
    "(?<![\\w/.-])claude (?:-\\w|--\\w|update\\b)",
    "[\"'`]claude[\"'`]",
    "(?<!\\w)toolu_",
    "(?<![\\w/@.-])claude-(?:\"|'|`|/|opus|sonnet|haiku)",
  ].join("|"),
  "gm",
);

/** The Claude Code terms in a source's code. Pure. */
function findTerms(text: string): string[] {
  return [...withoutComments(text).matchAll(NAMED)].map(([word]) => word);
}

function wordsIn(path: string, text: string): string[] {
  return findTerms(text).filter((word) => !(path.startsWith(TABLES) && COLUMNS.has(word)));
}

function withoutComments(text: string): string {
  // A glob such as `x/**` in a string starts no comment.
  return text.replace(/"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/.*$/gm, (part) =>
    part.startsWith('"') ? part : "",
  );
}

function sources(): Map<string, string> {
  const paths = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => `src/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|testing)\.tsx?$/.test(path));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

describe("terms of Claude Code", () => {
  it("are searched for", () => {
    const own = [...sources()].filter(([path]) => path.startsWith(OWN)).map(([, text]) => text);
    expect(new Set(own.flatMap(findTerms)).size).toBeGreaterThan(20);
  });

  it.each<[string, string[]]>([
    [`payload["tool_input"]`, ["tool_input"]],
    ["const { hook_event_name: name } = payload;", ["hook_event_name"]],
    [`join(home, ".claude", "plans")`, [".claude"]],
    [String.raw`/(^|\/)\.claude\/settings/`, [".claude"]],
    [`"x/** ~/.claude.json"`, [".claude"]],
    [`env["CLAUDE_CONFIG_DIR"] || env["CLAUDECODE"]`, ["CLAUDE_C", "CLAUDECODE"]],
    ["`claude --resume $" + "{id}`", ["claude --r"]],
    [`provider === "claude"`, [`"claude"`]],
    [`id.startsWith("toolu_")`, ["toolu_"]],
    [`model.replace(/^claude-/, "") || "claude-opus-5-5"`, ["claude-/", "claude-opus"]],
    ["/** `tool_input` */ // .claude", []],
    [`import { a } from "./claude-manager.ts"; report.claude.path; f({ ...claude })`, []],
  ])("are found in %s", (text, words) => {
    expect(findTerms(text)).toEqual(words);
  });

  it("occur only in its folder, except for the listed exceptions", () => {
    const found = [...sources()]
      .filter(([path]) => !path.startsWith(OWN))
      .map(([path, text]) => [path, wordsIn(path, text)] as const)
      .filter(([, words]) => words.length > 0);
    const listed = Object.entries(EXCEPTIONS).map(([path, { words }]) => [path, words]);
    expect(found.map(([path, words]) => [path, words.length])).toEqual(listed);
    expect(listed).toHaveLength(37);
  });
});
