// The scenarios of the captured runs: each has one scripted model and one way to start Claude Code.

import { join } from "node:path";
import { terminalScenarios } from "./capture-terminal.ts";
import type { Scratch } from "./claude.ts";
import type { Script, ToolCall, Turn } from "./fake-api.ts";
import type { TmuxSession } from "./tmux.ts";

export interface Stage {
  readonly scratch: Scratch;
  /** `claude -p prompt args…`; returns the session id. */
  run(prompt: string, ...args: string[]): Promise<string>;
  open(...args: string[]): Promise<TmuxSession>;
}

export interface Scenario {
  readonly name: string;
  script(project: string): Script;
  readonly env?: Readonly<Record<string, string>>;
  play(stage: Stage): Promise<unknown>;
}

const allow = [
  "--permission-mode",
  "default",
  "--allowedTools",
  "Bash,Read,Write,Edit,Glob,Grep,Skill,Agent",
];
const skillFile = `---
name: release-notes
description: Writes release notes for a document
---
Read the document named in $ARGUMENTS and write release notes.
`;
// A red pixel.
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const call = (name: string, input: unknown): ToolCall => ({ name, input });
const bash = (command: string, options: object = {}): ToolCall =>
  call("Bash", { command, description: "Run a command", ...options });
const use = (...tools: ToolCall[]): Turn => ({ tools });
const say = (text: string): Turn => ({ text });

export const scenarios: readonly Scenario[] = [
  {
    name: "skill",
    script: (project) => [
      use(call("Skill", { skill: "release-notes", args: "docs/release.md" })),
      use(call("Read", { file_path: `${project}/docs/release.md` })),
      say("Release notes are ready."),
    ],
    play: async ({ scratch, run }) => {
      await scratch.write(".claude/skills/release-notes/SKILL.md", skillFile);
      await run("write the release notes", ...allow);
    },
  },
  {
    name: "slash",
    script: () => [use(bash("echo greeted")), say("Hello from greet.")],
    play: async ({ scratch, run }) => {
      const command = "---\ndescription: Greets\n---\nGreet the reader of $ARGUMENTS.\n";
      await scratch.write(".claude/commands/greet.md", command);
      await run("/greet docs/x.md", ...allow);
    },
  },
  {
    name: "slash-skill",
    script: () => [use(bash("echo noted")), say("Notes written.")],
    play: async ({ scratch, run }) => {
      await scratch.write(".claude/skills/release-notes/SKILL.md", skillFile);
      await run("/release-notes docs/release.md", ...allow);
    },
  },
  {
    name: "tools",
    script: (project) => [
      { thinking: "Let me look first.", text: "I will look around.", tools: [bash("echo hello")] },
      use(bash("echo out; echo err >&2")),
      use(bash("echo partly; exit 3")),
      use(bash("true")),
      use(call("Read", { file_path: `${project}/README.md` })),
      use(call("Read", { file_path: `${project}/README.md`, offset: 3, limit: 1 })),
      use(call("Read", { file_path: `${project}/missing.md` })),
      use(call("Write", { file_path: `${project}/notes.md`, content: "one\ntwo\n" })),
      use(call("Edit", { file_path: `${project}/notes.md`, old_string: "two", new_string: "three" })),
      use(call("Edit", { file_path: `${project}/notes.md`, old_string: "absent", new_string: "x" })),
      use(call("Glob", { pattern: "**/*.md" })),
      use(call("Grep", { pattern: "anvils", output_mode: "content" })),
      use(
        bash("sleep 0.3; echo slow"),
        call("Read", { file_path: `${project}/src/cart.ts` }),
        bash("echo quick >&2; exit 4"),
      ),
      use(call("Frobnicate", { level: 3 })),
      use(call("Read", { path: "README.md" })),
      use(call("Bash", { command: 7 })),
      use(bash("sleep 0.4; echo from behind", { run_in_background: true })),
      use(bash("cd src && pwd")),
      use(bash("cd ..")),
      use(call("Read", { file_path: `${project}/pixel.png` })),
      use(bash("seq -s ' ' 1 8200 | cut -c1-40000")),
      use(call("Read", { file_path: "docs/release.md" })),
      use(call("Write", { file_path: "~/acme-shop/home.md", content: "x\n" })),
      use(bash("sleep 9", { timeout: 400 })),
      use(call("Bash", { command: "echo coerced", timeout: "5000", run_in_background: "false" })),
      use(
        call("Grep", {
          pattern: "ANVILS",
          path: "docs",
          output_mode: "content",
          "-i": "true",
          head_limit: "2",
        }),
      ),
      use(call("TaskCreate", { subject: "Ship it", description: "Ship the anvils" })),
      use(call("TaskUpdate", { taskId: "1", status: "completed" })),
      { text: "All tools tried.", delayMs: 600 },
    ],
    play: async ({ scratch, run }) => {
      await scratch.write("pixel.png", Buffer.from(png, "base64"));
      const tools = "Bash,Read,Write,Edit,Glob,Grep,TaskCreate,TaskUpdate";
      await run("try all tools", ...allow, "--tools", tools);
    },
  },
  {
    name: "denied",
    script: () => [
      use(bash("curl http://example.invalid")),
      use(bash("touch made.txt")),
      use(bash("echo fine"), bash("touch other.txt")),
      say("Two were denied."),
    ],
    play: async ({ scratch, run }) => {
      const rules = { permissions: { deny: ["Bash(curl:*)"], allow: ["Bash(echo:*)"] } };
      await scratch.write(".claude/settings.json", JSON.stringify(rules));
      await run("try what is forbidden", "--permission-mode", "default");
    },
  },
  ...(["background", "foreground"] as const).map(
    (kind): Scenario => ({
      name: `subagent-${kind}`,
      script: (project) => ({
        main: [
          use(
            call("Agent", {
              description: "Count files",
              prompt: "Count the files here.",
              subagent_type: "general-purpose",
              ...(kind === "foreground" && { run_in_background: false }),
            }),
          ),
          say("The agent is at work."),
          say("The agent found 3 files."),
        ],
        agent: [
          use(bash("ls | wc -l"), call("Read", { file_path: `${project}/README.md` })),
          use(bash("exit 5")),
          say("There are 3 files."),
        ],
      }),
      play: ({ run }) => run("count the files with an agent", ...allow),
    }),
  ),
  {
    name: "resume",
    script: () => [use(bash("echo one")), say("First answer."), use(bash("echo two")), say("Second answer.")],
    play: async ({ run }) => {
      const id = await run("first prompt", ...allow);
      await run("second prompt", ...allow, "--resume", id);
    },
  },
  {
    name: "fork",
    script: () => [use(bash("echo one")), say("An answer."), say("Another answer.")],
    play: async ({ run }) => {
      const trunk = await run("first of the trunk", ...allow);
      await run("second of the trunk", ...allow, "--resume", trunk);
      const fork = await run("first of the fork", ...allow, "--resume", trunk, "--fork-session");
      await run("second of the fork", ...allow, "--resume", fork);
    },
  },
  {
    name: "private",
    script: () => [use(bash("echo secret work")), say("Done in private."), say("Half of it is seen.")],
    play: async ({ run }) => {
      const id = await run("<private>my secret plan</private>", ...allow);
      const half = "rename the cart <private>for the merger with Globex</private> to basket";
      await run(half, ...allow, "--resume", id);
    },
  },
  {
    name: "error",
    env: { CLAUDE_CODE_MAX_RETRIES: "1" },
    script: () => {
      const errors = [
        { status: 529, type: "overloaded_error", message: "Overloaded" },
        { status: 500, type: "api_error", message: "Internal server error" },
        { status: 429, type: "rate_limit_error", message: "Slow down", retryAfter: 1 },
      ];
      return ({ lastUserText }) => {
        if (/use a tool/.test(lastUserText)) return use(bash("echo before"));
        return { error: errors.find(({ status }) => lastUserText.includes(String(status))) ?? errors[1]! };
      };
    },
    play: async ({ run }) => {
      await run("fail with 529", ...allow);
      await run("fail with 500", ...allow);
      await run("fail with 429", ...allow);
      await run("use a tool, then fail", ...allow);
    },
  },
  {
    name: "mcp",
    script: () => [
      ...["plain", "pictured", "structured", "broken"].map((kind) =>
        use(call("mcp__anvils__weigh", { kind })),
      ),
      say("All weighed."),
    ],
    play: async ({ run }) => {
      const server = { command: process.execPath, args: [join(import.meta.dirname, "mcp-server.ts")] };
      const config = JSON.stringify({ mcpServers: { anvils: server } });
      await run("weigh the anvils", "--allowedTools", "mcp__anvils__weigh", "--mcp-config", config);
    },
  },
  ...terminalScenarios,
];
