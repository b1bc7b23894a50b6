// The captured runs that need a person at a terminal: dialogs, Esc, local commands, prompts typed while busy.

import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario } from "./capture-scenarios.ts";
import type { Script, Turn } from "./fake-api.ts";
import type { TmuxSession } from "./tmux.ts";

const question = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Red", description: "warm" },
    { label: "Blue", description: "cold" },
  ],
};

/** Answers by the last line of the last user message, so that local commands in between change nothing. */
const run = (command: string) => ({ name: "Bash", input: { command, description: "Run a command" } });
const turns: readonly (readonly [RegExp, Turn])[] = [
  [/summar/i, { text: "<analysis>short</analysis><summary>The user made files and chose red.</summary>" }],
  [/^make a file/, { tools: [run("touch a.txt")] }],
  [/^overwrite/, { tools: [run("date > b.txt")] }],
  [/^ask me/, { tools: [{ name: "AskUserQuestion", input: { questions: [question] } }] }],
  [/^think long/, { text: "never seen", delayMs: 30_000 }],
  [/^answer slowly/, { text: "SLOW ANSWER", delayMs: 3000 }],
  [/^work slowly/, { tools: [run("sleep 2; echo rested")] }],
  [/^work forever/, { text: "Off we go.", tools: [run("echo begun; sleep 30"), run("echo meanwhile")] }],
];

const script: Script = ({ lastUserText }) => {
  const line = lastUserText.split("\n").at(-1) ?? "";
  return turns.find(([pattern]) => pattern.test(line))?.[1] ?? { text: `ANSWER to ${line.slice(0, 60)}` };
};

const manual = ["--permission-mode", "default"];

export const terminalScenarios: readonly Scenario[] = [
  {
    name: "compact",
    script: () => script,
    play: async ({ open }) => {
      const claude = await open(...manual);
      await claude.waitFor(/❯/);
      await submit(claude, "remember the number seven", /ANSWER to remember/);
      await submit(claude, "make a file", /Do you want to proceed/);
      // Long enough for the Notification of a waiting permission, which comes after 6 s.
      await sleep(7500);
      await claude.keys("Enter");
      await claude.waitFor(/ANSWER to \(Bash/);
      await submit(claude, "overwrite once", /Do you want to proceed/);
      await claude.keys("Escape");
      await claude.waitFor(/Interrupted/);
      await submit(claude, "overwrite twice", /Do you want to proceed/);
      await claude.keys("Up", "Enter");
      await sleep(1000);
      await submit(claude, "ask me", /Which colour/);
      await claude.keys("Enter");
      await claude.waitFor(/Which colour\? → Red/);
      await sleep(500);
      await submit(claude, "/model sonnet", /Switch model/);
      await claude.keys("Enter");
      await claude.waitFor(/Set model to/);
      await submit(claude, "/compact", /Compacted/);
      await submit(claude, "what was the number?", /ANSWER to what was/);
      await leave(claude);
    },
  },
  {
    name: "terminal",
    script: () => script,
    play: async ({ scratch, open }) => {
      await scratch.write(".claude/commands/greet.md", "Greet the reader of $ARGUMENTS.\n");
      const claude = await open(...manual, "--allowedTools", "Bash");
      await claude.waitFor(/❯/);
      await submit(claude, "/greet docs/x.md", /ANSWER to Greet/);
      await submit(claude, "/cost", /Total cost/);
      await claude.keys("Escape");
      await sleep(500);
      await submit(claude, "!echo from bash mode", /ANSWER to <bash-stdout/);
      await submit(claude, "think long", /think long/);
      await sleep(1500);
      await claude.keys("Escape");
      await claude.waitFor(/Interrupted|❯ think long/);
      await sleep(500);
      await claude.keys("C-u");
      await submit(claude, "work slowly", /sleep 2/);
      await submit(claude, "a prompt typed while busy", /ANSWER to/);
      await sleep(3000);
      await submit(claude, "answer slowly", /answer slowly/);
      await submit(claude, "a prompt for later", /ANSWER to a prompt for later/);
      await submit(claude, "work forever", /Off we go/);
      await sleep(1500);
      await claude.keys("Escape");
      await claude.waitFor(/Interrupted/);
      await sleep(500);
      await submit(claude, "/nosuchcommand", /nosuchcommand/);
      await sleep(500);
      await submit(claude, "/clear", /❯ \/clear/);
      await submit(claude, "after the clear", /ANSWER to after/);
      await leave(claude);
    },
  },
  {
    name: "branch",
    script: () => script,
    play: async ({ open }) => {
      const claude = await open(...manual);
      await claude.waitFor(/❯/);
      await submit(claude, "first of the trunk", /ANSWER to first/);
      await submit(claude, "second of the trunk", /ANSWER to second/);
      await submit(claude, "/branch", /Branched conversation/);
      await submit(claude, "first of the branch", /ANSWER to first of the b/);
      await leave(claude);
    },
  },
];

async function submit(claude: TmuxSession, text: string, expectedScreen: RegExp): Promise<void> {
  await claude.type(text);
  await claude.keys("Enter");
  await claude.waitFor(expectedScreen);
  // The answer is on the screen before the Stop hook has run.
  await sleep(700);
}

async function leave(claude: TmuxSession): Promise<void> {
  await claude.type("/exit");
  await claude.keys("Enter");
  await claude.waitFor(/Resume this session with/);
  await sleep(500);
}
