import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ClaudeRun,
  claudeEnv,
  createScratch,
  openClaudeTmux,
  runClaude,
  type Scratch,
} from "../support/claude.ts";
import { homeOf, queryDatabase, runHookline, until } from "../support/cli.ts";
import { type FakeRequest, openFakeApi, type Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import type { TmuxSession } from "../support/tmux.ts";

needs(import.meta.filename, "tmux");

/** Every recipe, with the options chosen for it. */
const RECIPES: Readonly<Record<string, readonly string[]>> = {
  "format-after-edit": [],
  "commit-after-edit": [],
  "test-at-stop": [],
  "check-dependencies-at-stop": [],
  "warn-uncommitted": [],
  "require-step": [],
  "promise-detection": [],
  "branch-per-session": [],
  "keyword-skill-hint": ["keyword=deploy", "skill=release-notes"],
  "git-context": [],
  "protect-paths": ["paths=migrations/**"],
  "backup-before-compaction": [],
  "session-metrics": [],
  "notify-needs-me": [],
};

let scratch: Scratch;

beforeAll(async () => {
  scratch = await createScratch();
  await scratch.write(
    "package.json",
    JSON.stringify({
      name: "acme-shop",
      version: "1.0.0",
      scripts: { test: "test -f passes || { echo 'cart total is wrong'; exit 1; }" },
      dependencies: { "left-pad": "^1.3.0" },
    }),
  );
  await scratch.write(".gitignore", "node_modules\npasses\n");
  await scratch.write("TODO.md", "- weigh the anvils\n");
  program(
    join(scratch.project, "node_modules/.bin"),
    "prettier",
    'for f; do :; done\nprintf "// formatted\\n" >> "$f"',
  );
  git("add", ".");
  git("commit", "-q", "-m", "Second");
  const bin = join(scratch.root, "bin");
  program(
    bin,
    "notify-send",
    `for word; do printf '%s\\n' "$word"; done >> ${join(scratch.root, "notified")}`,
  );
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runHookline(scratch, args, env);
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  for (const [name, chosen] of Object.entries(RECIPES))
    await run("recipes", "add", name, ...chosen.flatMap((choice) => ["--set", choice]));
  addRules(
    { on: "SessionStart", do: { type: "env", set: { SHOP_MODE: "it's {session}" } } },
    { on: "SubagentStop", agentType: "general-purpose", do: { type: "block", reason: "Look once more." } },
  );
  await run("install", "--guard");
  await run("up");
  scratch.onCleanup(() => runHookline(scratch, ["down"]));
});
afterAll(() => scratch?.cleanup());

function program(folder: string, name: string, body: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Rules that a user wrote beside those of recipes. */
function addRules(...entries: object[]): void {
  const file = join(homeOf(scratch), "rules.json");
  const rules = JSON.parse(readFileSync(file, "utf8")) as { reactions: object[] };
  writeFileSync(file, JSON.stringify({ ...rules, reactions: [...rules.reactions, ...entries] }));
}

function git(...args: string[]): string {
  const author = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com"];
  const env = { ...claudeEnv(scratch), GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...author, ...args], { cwd: scratch.project, env, encoding: "utf8" });
}

/** The reactions recorded in the log, by recipe. */
function reactions(): { rule: string; ok: boolean; message: string | null }[] {
  const rows = queryDatabase(
    scratch,
    "SELECT payload_json FROM events WHERE event_type = 'control.reaction'",
  );
  return rows.map(({ payload_json: json }) => {
    const event = JSON.parse(String(json)) as {
      reaction: { rule: string; ok: boolean; message: string | null };
    };
    return event.reaction;
  });
}

const bash = (command: string): Turn => ({
  tools: [{ name: "Bash", input: { command, description: "Run" } }],
});

describe("recipes of a run without a person", () => {
  let requests: readonly FakeRequest[];
  let run: ClaudeRun;
  /** The messages in the model's nth request. */
  const told = (turn: number): string =>
    JSON.stringify(requests.filter(({ isSide }) => !isSide)[turn]?.body.messages ?? []);

  beforeAll(async () => {
    writeFileSync(join(scratch.home, ".gitconfig"), "[user]\n\tname = Dev\n\temail = dev@example.com\n");
    await scratch.write("unfinished.txt", "not committed\n");
    const file_path = join(scratch.project, "src/price.ts");
    const api = await openFakeApi([
      { tools: [{ name: "Write", input: { file_path, content: "export const price = 1;\n" } }] },
      bash("git commit --allow-empty -m early"),
      { text: "Done. All tests pass." },
      bash('touch passes; echo "[$SHOP_MODE]"'),
      bash("npm test"),
      { text: "Now they do." },
    ]);
    scratch.onCleanup(() => api.close());
    run = await runClaude(scratch, {
      prompt: "please deploy the shop",
      api,
      args: ["--allowedTools", "Write,Bash", "--output-format", "stream-json", "--verbose"],
    });
    requests = api.requests;
    expect(run).toMatchObject({ code: 0 });
    await until(() => reactions().some(({ rule }) => rule === "user/session-metrics"));
  });

  it("branch-per-session and git-context: the session starts on its own branch and gets it as context", () => {
    const branch = git("branch", "--show-current").trim();
    expect(branch).toMatch(/^session\/\d{4}-\d\d-\d\d-/);
    expect(told(0)).toContain(branch);
    expect(told(0)).toContain("unfinished.txt");
    expect(told(0)).toContain("weigh the anvils");
  });

  it("keyword-skill-hint: the keyword adds the hint", () => {
    expect(told(0)).toMatch(/release-notes/);
  });

  it("format-after-edit: the file is formatted, and the model is notified", () => {
    expect(readFileSync(join(scratch.project, "src/price.ts"), "utf8")).toContain("// formatted");
    expect(told(1)).toContain("was formatted after this edit");
  });

  it("commit-after-edit: only that file is committed, formatted", () => {
    const committed = git("log", "--format=", "--name-only", "main..HEAD").trim().split("\n");
    expect(committed).toEqual(["src/price.ts"]);
    expect(git("show", "HEAD:src/price.ts")).toContain("// formatted");
    expect(told(1)).toContain("was committed as");
  });

  it("require-step: no commit before the tests", () => {
    expect(told(2)).toContain("Run the tests first");
    expect(git("log", "--format=%s")).not.toContain("early");
  });

  it("promise-detection, test-at-stop and check-dependencies-at-stop: the turn continues", () => {
    expect(told(3)).toContain("no test run has passed since the last edit");
    expect(told(3)).toContain("cart total is wrong");
    expect(told(3)).toContain("left-pad");
    expect(told(2)).not.toContain("cart total is wrong");
  });

  it("the turn ends once the tests pass, without another request to the model", () => {
    expect(requests.filter(({ isSide }) => !isSide)).toHaveLength(6);
    expect(run.stdout).toContain("Now they do.");
  });

  it("a custom rule sets a variable in the session's shells", () => {
    expect(told(4)).toContain(`[it's ${run.sessionId}]`);
  });

  it("warn-uncommitted: the user is notified, the model is not", async () => {
    const warned = reactions().filter(({ rule }) => rule === "user/warn-uncommitted");
    expect(warned.length).toBeGreaterThan(0);
    expect(warned.every(({ ok }) => ok)).toBe(true);
    expect(told(5)).not.toContain("Not committed:");
    const transcript = readFileSync(run.transcriptPath!, "utf8");
    expect(`${run.stdout}${transcript}`).toContain("Not committed:");
  });

  it("session-metrics: a line with figures and summary, readable only by its owner", () => {
    const file = join(homeOf(scratch), "metrics.jsonl");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      sessionId: run.sessionId,
      project: scratch.project,
      turns: 1,
      tools: 4,
      request: expect.stringContaining("deploy"),
    });
  });

  it("nothing failed on the way", () => {
    expect(reactions().filter(({ ok }) => !ok)).toEqual([]);
  });
});

describe("recipes with a person at the terminal", () => {
  let claude: TmuxSession;
  const submit = async (text: string, expected: RegExp): Promise<void> => {
    await claude.type(text);
    await claude.keys("Enter");
    await claude.waitFor(expected);
  };

  beforeAll(async () => {
    const file_path = join(scratch.project, "migrations/001.sql");
    const api = await openFakeApi(({ lastUserText }) => {
      if (/summar/i.test(lastUserText)) return { text: "<summary>A migration was written.</summary>" };
      return lastUserText.startsWith("migrate")
        ? { tools: [{ name: "Write", input: { file_path, content: "select 1;\n" } }] }
        : { text: `ANSWER to ${lastUserText.slice(0, 20)}` };
    });
    scratch.onCleanup(() => api.close());
    claude = await openClaudeTmux(scratch, { api, args: ["--permission-mode", "acceptEdits"] });
    await claude.waitFor(/❯/);
  });

  it("protect-paths: an edit that the mode allows is asked about; notify-needs-me: with a desktop notification", async () => {
    await submit("migrate now", /Do you want to/);
    const notified = join(scratch.root, "notified");
    await until(() => existsSync(notified) && readFileSync(notified, "utf8").includes("is waiting for you"));
    expect(existsSync(join(scratch.project, "migrations/001.sql"))).toBe(false);
    await claude.press("Enter", /ANSWER to/);
    expect(existsSync(join(scratch.project, "migrations/001.sql"))).toBe(true);
    expect(readFileSync(notified, "utf8").match(/is waiting for you/g)).toHaveLength(1);
  });

  it("backup-before-compaction: the transcript is copied unchanged", async () => {
    await submit("/compact", /Compacted/);
    const folder = join(homeOf(scratch), "backups");
    const name = await until(() => existsSync(folder) && readdirSync(folder)[0]);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, name), "utf8")).toContain("migrate now");
  });
});

describe("a rule about subagents", () => {
  it("blocks its end once", async () => {
    const input = { description: "Look around", prompt: "look", subagent_type: "general-purpose" };
    const api = await openFakeApi({
      main: [{ tools: [{ name: "Agent", input }] }, { text: "Waiting." }, { text: "Thanks." }],
      agent: [{ text: "I looked." }, { text: "I looked once more." }, { text: "Never asked for." }],
    });
    scratch.onCleanup(() => api.close());
    expect(await runClaude(scratch, { prompt: "delegate", api })).toMatchObject({ code: 0 });
    const asked = api.requests.filter(({ isSide, agentId }) => !isSide && agentId !== undefined);
    expect(asked).toHaveLength(2);
    expect(JSON.stringify(asked[1]!.body.messages)).toContain("Look once more.");
  });
});

describe("the list of recipes", () => {
  it("contains only those tested here", async () => {
    const { stdout } = await runHookline(scratch, ["recipes", "list", "--json"]);
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(RECIPES).toSorted());
  });
});
