// Work of several sessions as hooks report it: prompts, calls with realistic output, last messages.

export type Payload = Readonly<Record<string, unknown>>;

export interface WorkTurn {
  readonly sessionId: string;
  readonly promptId: string;
  readonly calls: number;
  readonly payloads: readonly Payload[];
}

const FILES = [
  "src/cart.ts",
  "src/invoice.ts",
  "src/checkout/discount.ts",
  "lib/ledger.py",
  "docs/prices.md",
];
const SESSION_TURNS = 16;

/** This many turns with this many calls in total, spread evenly. */
export function workTurns(count: number, calls: number, cwd: string): WorkTurn[] {
  return Array.from({ length: count }, (_, turn) => {
    const sessionId = `work-session-${Math.floor(turn / SESSION_TURNS)}`;
    const promptId = `work-prompt-${turn}`;
    const [from, to] = [turn, turn + 1].map((at) => Math.floor((at * calls) / count)) as [number, number];
    const base = {
      session_id: sessionId,
      prompt_id: promptId,
      cwd,
      transcript_path: `${cwd}/none.jsonl`,
      permission_mode: "default",
    };
    const made = Array.from({ length: to - from }, (_, n) => callPayloads(base, cwd, from + n));
    return {
      sessionId,
      promptId,
      calls: to - from,
      payloads: [
        ...(turn % SESSION_TURNS === 0 ? [startPayload(sessionId, cwd)] : []),
        { ...base, hook_event_name: "UserPromptSubmit", prompt: promptText(turn) },
        ...made.flat(),
        {
          ...base,
          hook_event_name: "Stop",
          stop_hook_active: false,
          last_assistant_message: lastWords(turn),
        },
      ],
    };
  });
}

function startPayload(sessionId: string, cwd: string): Payload {
  return {
    session_id: sessionId,
    cwd,
    transcript_path: `${cwd}/none.jsonl`,
    hook_event_name: "SessionStart",
    source: "startup",
  };
}

function callPayloads(base: Payload, cwd: string, n: number): Payload[] {
  const { tool_name, tool_input, tool_response } = CALLS[n % CALLS.length]!(
    `${cwd}/${FILES[n % FILES.length]}`,
    n,
  );
  const call = { ...base, tool_name, tool_input, tool_use_id: `toolu_01Work${n}` };
  return [
    { ...call, hook_event_name: "PreToolUse" },
    { ...call, hook_event_name: "PostToolUse", tool_response, duration_ms: 40 + n },
  ];
}

interface Call {
  readonly tool_name: string;
  readonly tool_input: Payload;
  readonly tool_response: Payload;
}

const CALLS: readonly ((path: string, n: number) => Call)[] = [
  (path, n) => ({
    tool_name: "Read",
    tool_input: { file_path: path },
    tool_response: {
      type: "text",
      file: { filePath: path, content: code(160, n), numLines: 160, startLine: 1, totalLines: 160 },
    },
  }),
  (path, n) => ({
    tool_name: "Edit",
    tool_input: { file_path: path, old_string: code(8, n), new_string: code(12, n + 1) },
    tool_response: {
      filePath: path,
      structuredPatch: [
        {
          oldStart: 1,
          oldLines: 8,
          newStart: 1,
          newLines: 12,
          lines: [...prefixed("-", code(8, n)), ...prefixed("+", code(12, n + 1))],
        },
      ],
    },
  }),
  (_, n) => ({
    tool_name: "Bash",
    tool_input: { command: `npx vitest run src/part-${n}.test.ts`, description: "Run the tests of the part" },
    tool_response: { stdout: testOutput(n), stderr: "", interrupted: false, isImage: false },
  }),
  (path, n) => ({
    tool_name: "Grep",
    tool_input: { pattern: `roundTo${n}`, path, output_mode: "content" },
    tool_response: { mode: "content", numFiles: 0, filenames: [], content: code(40, n), numLines: 40 },
  }),
];

function code(lines: number, n: number): string {
  const line = (at: number): string =>
    at % 7 === 3
      ? `// Prices of part ${n + at} are integer cents: "floats" drift & invoices show <0.30000000000000004>.`
      : `export const roundTo${n + at} = (price: number): number => Math.round(price * ${100 + at}) / ${100 + at};`;
  return Array.from({ length: lines }, (_, at) => line(at)).join("\n");
}

function prefixed(sign: string, text: string): string[] {
  return text.split("\n").map((line) => `${sign}${line}`);
}

function testOutput(n: number): string {
  const lines = Array.from(
    { length: 60 },
    (_, at) => ` ✓ src/part-${n}.test.ts > rounds case ${at} 0.${at} ms`,
  );
  return [...lines, ` Test Files  1 passed (1)`, `      Tests  ${60 + n} passed (${60 + n})`].join("\n");
}

function promptText(turn: number): string {
  const ask = `Part ${turn}: the total of an invoice is off by a cent when a discount is taken twice, please find out why and fix it.`;
  return `${ask}\n${"The customer's order had three anvils and a coupon; the ledger says otherwise. ".repeat(1 + (turn % 12))}`;
}

function lastWords(turn: number): string {
  return `I fixed part ${turn}: the discount was taken from floats. ${"Prices are integer cents now, and the sum is rounded once at the end. ".repeat(6)}Next step: do the same for refunds.`;
}
