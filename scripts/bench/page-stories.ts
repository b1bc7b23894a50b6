// Session scripts: a short one of each kind, and one that never ends.

type Fields = Readonly<Record<string, unknown>>;

/** `at` is in seconds from the start of the session. */
export type StoryRecord =
  | { readonly at: number; readonly hook: Fields; readonly env?: Readonly<Record<string, string>> }
  | { readonly at: number; readonly line: Fields };

export interface Story {
  readonly sessionId: string;
  readonly records: readonly StoryRecord[];
  readonly pid: number;
}

/** Pid of a process that has ended. */
export const DEAD_PID = 4_711;
/** Pid of a process older than any of these sessions: a younger one would not count as theirs. */
const OLD_PID = 1;

const PROJECTS = [
  ..."shop api docs mobile billing search infra site importer ledger".split(" "),
  ..."parser fonts mailer queue games notes atlas weather radio clock".split(" "),
];
const MODELS = ["claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5"];
const VERBS = [
  "Fix",
  "Explain",
  "Rename",
  "Speed up",
  "Test",
  "Document",
  "Move",
  "Remove",
  "Port",
  "Review",
];
const SUBJECTS = [
  ..."the cart's total|the login form|the export to CSV|a flaky test|the retry loop|the price table".split(
    "|",
  ),
  ..."the nightly import|the search index|the release script|the settings page|the mail template".split("|"),
];

const pick = <T>(from: readonly T[], number: number): T => from[number % from.length]!;
const idOf = (kind: number, a: number, b = 0): string =>
  `${kind.toString(16).padStart(8, "0")}-0000-4000-8000-${a.toString(16).padStart(6, "0")}${b.toString(16).padStart(6, "0")}`;

interface StoryContext {
  readonly cwd: string;
  readonly model: string;
  readonly id: (name: string) => string;
}

export function briefStory(number: number, standing: "ended" | "running" | "waiting"): Story {
  const sessionId = idOf(1, number);
  const cwd = `/home/dev/${pick(PROJECTS, Math.imul(number, 7) >>> 2)}`;
  const teller: StoryContext = { cwd, model: pick(MODELS, number >> 3), id: (name) => `${name}x${number}` };
  const what = `${pick(VERBS, number)} ${pick(SUBJECTS, number >> 1)} (${number})`;
  const prompt_id = idOf(2, number);
  const pid = standing === "ended" ? DEAD_PID : OLD_PID;
  const records: StoryRecord[] = [
    {
      ...hook(teller, 0, "SessionStart", { source: "startup", model: teller.model }),
      env: { CLAUDE_PID: String(pid), CLAUDE_CODE_ENTRYPOINT: "cli" },
    },
    hook(teller, 2, "UserPromptSubmit", { prompt_id, prompt: `${what}, and say what was wrong.` }),
    { at: 4, line: { type: "ai-title", aiTitle: what } },
    message(teller, 6, "m1", `I look at ${what.toLowerCase()} first.`, 60 + (number % 90)),
    ...call(teller, 8, "c1", prompt_id, "Grep", { pattern: pick(SUBJECTS, number), path: "src" }, 0.4, {
      mode: "content",
      numLines: 1,
      content: `src/index.ts:${number}: ${what}`,
    }),
    ...edit(teller, 14, "c2", prompt_id, number),
  ];
  if (standing === "running")
    records.push(
      hook(teller, 30, "PreToolUse", callFields(teller, "c3", prompt_id, "Bash", { command: "npm test" })),
    );
  else if (standing === "waiting") {
    const asked = callFields(teller, "c3", prompt_id, "Bash", { command: `rm -r build-${number}` });
    records.push(hook(teller, 30, "PreToolUse", asked), hook(teller, 30.1, "PermissionRequest", asked));
  } else
    records.push(
      message(teller, 40, "m2", `**Done.** ${what}: one line was wrong.`, 200 + (number % 400)),
      hook(teller, 41, "Stop", {
        prompt_id,
        last_assistant_message: `**Done.** ${what}: one line was wrong.`,
      }),
      hook(teller, 60 + (number % 900), "SessionEnd", { reason: "prompt_input_exit" }),
    );
  return { sessionId, records, pid };
}

/** Turn after turn: messages, calls of which some fail, permission waits, subagents, compactions. */
export function longStory(): { sessionId: string; turns: Iterable<StoryRecord[]>; end: () => StoryRecord[] } {
  const sessionId = idOf(3, 1);
  const teller: StoryContext = { cwd: "/home/dev/atlas", model: MODELS[0]!, id: (name) => `long-${name}` };
  let at = 0;
  function* turns(): Iterable<StoryRecord[]> {
    yield [hook(teller, 0, "SessionStart", { source: "startup", model: teller.model })];
    yield [{ at: 1, line: { type: "ai-title", aiTitle: "Move all of the atlas to the new projection" } }];
    for (let turn = 0; ; turn++) {
      const record = longTurn(teller, at + 10, turn);
      // Now and then the user takes a half-hour break.
      at = record.at(-1)!.at + (turn % 40 === 39 ? 1_800 : 5);
      yield record;
    }
  }
  return { sessionId, turns: turns(), end: () => [hook(teller, at + 20, "SessionEnd", { reason: "other" })] };
}

function longTurn(teller: StoryContext, start: number, turn: number): StoryRecord[] {
  const prompt_id = idOf(4, turn);
  const record: StoryRecord[] = [
    hook(teller, start, "UserPromptSubmit", { prompt_id, prompt: `Go on with sheet ${turn}. ${SENTENCE}` }),
  ];
  let at = start + 2;
  for (let index = 0; index < 8; index++) {
    const id = `${turn}-${index}`;
    record.push(
      message(teller, at, `m${id}`, index % 3 === 0 ? ANSWER : `Sheet ${turn}, part ${index}.`, 150),
    );
    at += 1.5;
    if (index === 3 && turn % 5 === 0) {
      const asked = callFields(teller, `c${id}`, prompt_id, "Bash", {
        command: `npm run publish -- sheet-${turn}`,
      });
      record.push(hook(teller, at, "PreToolUse", asked), hook(teller, at + 0.1, "PermissionRequest", asked));
      at += 25;
      record.push(
        hook(teller, at, "PostToolUse", { ...asked, tool_response: { stdout: OUTPUT, stderr: "" } }),
      );
    } else if (index === 5 && turn % 10 === 0) {
      record.push(...subagent(teller, at, `c${id}`, prompt_id, turn));
      at = record.at(-1)!.at;
    } else if (index % 4 === 1) record.push(...edit(teller, at, `c${id}`, prompt_id, turn * 8 + index));
    else if (index === 6 && turn % 7 === 0)
      record.push(...failed(teller, at, `c${id}`, prompt_id, { command: `npm test -- sheet-${turn}` }));
    else
      record.push(
        ...call(
          teller,
          at,
          `c${id}`,
          prompt_id,
          "Bash",
          { command: `node sheet.js ${id}`, description: "Draw" },
          1,
          {
            stdout: OUTPUT,
            stderr: "",
            interrupted: false,
          },
        ),
      );
    at += 2;
  }
  if (turn % 60 === 59) {
    record.push(hook(teller, at, "PreCompact", { prompt_id, trigger: "auto", custom_instructions: null }));
    at += 20;
    record.push(hook(teller, at, "PostCompact", { prompt_id, trigger: "auto", compact_summary: ANSWER }));
  }
  record.push(hook(teller, at + 1, "Stop", { prompt_id, last_assistant_message: `Sheet ${turn} is done.` }));
  return record;
}

function subagent(
  teller: StoryContext,
  start: number,
  id: string,
  prompt_id: string,
  turn: number,
): StoryRecord[] {
  const agent_id = `agent${turn}`;
  const asked = callFields(teller, id, prompt_id, "Agent", {
    description: `Look at sheet ${turn}`,
    prompt: SENTENCE,
  });
  const inner = Array.from({ length: 10 }, (_, index) =>
    call(
      teller,
      start + 1 + index,
      `${id}-${index}`,
      prompt_id,
      "Read",
      { file_path: `${teller.cwd}/sheet-${index}.ts` },
      0.5,
      {
        type: "text",
        file: {
          filePath: `${teller.cwd}/sheet-${index}.ts`,
          content: OUTPUT,
          numLines: 8,
          startLine: 1,
          totalLines: 8,
        },
      },
    ).map((record) => ({
      ...record,
      hook: { ...(record as { hook: Fields }).hook, agent_id, agent_type: "Explore" },
    })),
  ).flat();
  const life = { prompt_id, agent_id, agent_type: "Explore" };
  return [
    hook(teller, start, "PreToolUse", asked),
    hook(teller, start + 0.2, "SubagentStart", life),
    ...inner,
    hook(teller, start + 12, "SubagentStop", { ...life, last_assistant_message: "Looked." }),
    hook(teller, start + 12.2, "PostToolUse", { ...asked, tool_response: { content: "Looked." } }),
  ];
}

function hook({ cwd }: StoryContext, at: number, name: string, more: Fields): { at: number; hook: Fields } {
  return { at, hook: { hook_event_name: name, cwd, permission_mode: "default", ...more } };
}

function callFields(
  { id }: StoryContext,
  name: string,
  prompt_id: string,
  tool: string,
  input: Fields,
): Fields {
  return { prompt_id, tool_name: tool, tool_input: input, tool_use_id: `toolu_${id(name)}` };
}

function call(
  teller: StoryContext,
  at: number,
  name: string,
  promptId: string,
  tool: string,
  input: Fields,
  seconds: number,
  tool_response: Fields,
): { at: number; hook: Fields }[] {
  const asked = callFields(teller, name, promptId, tool, input);
  return [
    hook(teller, at, "PreToolUse", asked),
    hook(teller, at + seconds, "PostToolUse", { ...asked, tool_response, duration_ms: seconds * 1_000 }),
  ];
}

function failed(
  teller: StoryContext,
  at: number,
  name: string,
  promptId: string,
  input: Fields,
): StoryRecord[] {
  const asked = callFields(teller, name, promptId, "Bash", input);
  return [
    hook(teller, at, "PreToolUse", asked),
    hook(teller, at + 2, "PostToolUseFailure", {
      ...asked,
      error: `Exit code 1\n${OUTPUT}`,
      duration_ms: 2_000,
    }),
  ];
}

function edit(
  teller: StoryContext,
  at: number,
  name: string,
  promptId: string,
  number: number,
): StoryRecord[] {
  const filePath = `${teller.cwd}/src/part-${number % 40}.ts`;
  const [before, after] = [`  const wide = ${number};`, `  const wide = ${number + 1};`];
  const input = { file_path: filePath, old_string: before, new_string: after, replace_all: false };
  const lines = [" export function draw() {", `-${before}`, `+${after}`, "   return paint(wide);", " }"];
  return call(teller, at, name, promptId, "Edit", input, 0.3, {
    filePath,
    oldString: before,
    newString: after,
    structuredPatch: [{ oldStart: 12, oldLines: 4, newStart: 12, newLines: 4, lines }],
  });
}

function message(
  { cwd, model, id }: StoryContext,
  at: number,
  name: string,
  text: string,
  output: number,
): StoryRecord {
  const usage = {
    input_tokens: 12,
    output_tokens: output,
    cache_read_input_tokens: 14_000 + output * 20,
    cache_creation_input_tokens: 900,
  };
  const content = [{ type: "text", text }];
  const said = { id: `msg_${id(name)}`, role: "assistant", model, stop_reason: "end_turn", content, usage };
  const about = { uuid: id(name), requestId: id(name), cwd, gitBranch: "main" };
  return { at, line: { type: "assistant", ...about, message: said } };
}

const SENTENCE =
  "Keep the names of places as they are, draw rivers before roads, and say which tiles you could not place.";
const OUTPUT = Array.from(
  { length: 8 },
  (_, index) => `tile ${index}: 256 × 256, ${index * 37} shapes, ok`,
).join("\n");
const ANSWER = `## What changed

The sheet is drawn in **two passes** now: first what lies below (\`water\`, \`land\`), then names.

1. Rivers come before roads, as asked.
2. \`paint(wide)\` is called once a tile, not once a shape.

| tile | shapes | took |
|---|---:|---:|
| 4/8/5 | 214 | 12 ms |
| 4/8/6 | 1,102 | 48 ms |

\`\`\`ts
export function draw(tile: Tile) {
  for (const layer of layers) paint(layer.wide);
}
\`\`\`

Nothing else was touched; *the fonts* stay for another day.`;
