// Transcripts as Claude Code writes them: prompts, answers, calls and their results, with one line in three
// of its own bookkeeping. In the recorded ones it is every second line.

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface WrittenTranscripts {
  readonly root: string;
  readonly lines: number;
  readonly bytes: number;
}

const CALLS_A_TURN = 8;
const STEP_MS = 700;
const DAY_MS = 24 * 3_600_000;
const CHUNK_LINES = 1_000;

export function writeTranscripts(home: string, lines: number, sessions: number): WrittenTranscripts {
  const root = join(home, ".claude", "projects");
  const each = Math.floor(lines / sessions);
  let bytes = 0;
  for (let session = 0; session < sessions; session++) {
    const folder = join(root, `-home-dev-project-${session % 7}`);
    mkdirSync(folder, { recursive: true });
    const id = uuid(9, session, 0);
    const fd = openSync(join(folder, `${id}.jsonl`), "w", 0o600);
    for (let at = 0; at < each; at += CHUNK_LINES) {
      const count = Math.min(CHUNK_LINES, each - at);
      const chunk = Array.from({ length: count }, (_, n) => lineOf(session, id, at + n, each)).join("");
      bytes += writeSync(fd, chunk);
    }
    closeSync(fd);
  }
  return { root, lines: each * sessions, bytes };
}

function lineOf(session: number, sessionId: string, at: number, count: number): string {
  if (at % 3 === 2)
    return line({ type: "api-request", sessionId, id: uuid(5, session, at), model: text(at, 300) });
  const inTurn = 2 + 2 * CALLS_A_TURN;
  const told = at - Math.floor(at / 3);
  const [turn, step] = [Math.floor(told / inTurn), told % inTurn];
  const timestamp = new Date(Date.now() - (count - at) * STEP_MS - (session + 1) * DAY_MS).toISOString();
  const stamp = {
    parentUuid: at === 0 ? null : uuid(3, session, at - 1),
    isSidechain: false,
    uuid: uuid(3, session, at),
    timestamp,
    userType: "external",
    entrypoint: "cli",
    cwd: `/home/dev/project-${session % 7}`,
    sessionId,
    version: "2.1.325",
    gitBranch: "main",
  };
  const promptId = uuid(4, session, turn);
  if (step === 0)
    return line({ ...stamp, promptId, type: "user", message: { role: "user", content: promptOf(at) } });
  if (step === inTurn - 1)
    return answer(stamp, `${session}x${at}`, [{ type: "text", text: `Done: ${text(at, 300)}` }]);
  const call = `toolu_01Import${session}x${turn}x${Math.floor((step - 1) / 2)}`;
  const isBash = step % 4 < 2;
  const input = isBash
    ? { command: `npm test -- cart-${at % 97}`, description: "Run the tests" }
    : { file_path: `/home/dev/project-${session % 7}/src/file-${at % 211}.ts` };
  if (step % 2 === 1)
    return answer(stamp, `${session}x${at}`, [
      { type: "tool_use", id: call, name: isBash ? "Bash" : "Read", input },
    ]);
  const content = [{ type: "tool_result", tool_use_id: call, content: text(at, 400), is_error: false }];
  return line({ ...stamp, promptId, type: "user", message: { role: "user", content } });
}

function answer(stamp: object, id: string, content: readonly unknown[]): string {
  const usage = {
    input_tokens: 12,
    output_tokens: 80,
    cache_read_input_tokens: 9_000,
    cache_creation_input_tokens: 300,
  };
  const message = {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content,
    usage,
  };
  return line({ ...stamp, type: "assistant", requestId: `req_${id}`, message });
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function promptOf(at: number): string {
  return `Make the discount of cart ${at} apply once, and add a test. ${text(at, 120)}`;
}

const WORDS =
  "cart total discount checkout price order test passes fails expected received src file line".split(" ");

function text(seed: number, length: number): string {
  let made = "";
  for (let n = seed; made.length < length; n += 5) made += `${WORDS[n % WORDS.length]} ${n % 1_013} `;
  return made.slice(0, length);
}

function uuid(kind: number, a: number, b: number): string {
  const hex = (value: number, width: number): string => value.toString(16).padStart(width, "0");
  return `${hex(kind, 8)}-0000-4000-8000-${hex(a, 4)}${hex(b, 8)}`;
}
