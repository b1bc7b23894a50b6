// A long history as the daemon would have written it: a few sessions go through the real pipeline once, then
// are repeated with other ids and times, five concurrently, over the last month.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../src/agents/claude/claude.ts";
import type { HookDelivery } from "../../src/agents/hook-delivery.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import { contentHash } from "../../src/event/ids.ts";
import { toLine } from "../../src/event/line.ts";
import { compressClosed } from "../../src/log/file/compress.ts";
import { openLogWriter } from "../../src/log/file/writer.ts";
import { spoolEntries } from "./payloads.ts";

export interface ReplayLog {
  readonly lines: number;
  readonly sessions: number;
  readonly bytes: number;
}

const TEMPLATES = 8;
const CONCURRENT_SESSIONS = 5;
const DAYS = 30;
const STEP_MS = 10_000;
/** One session in twenty never reported its end. */
const UNENDED_EVERY = 20;
const ROTATE_BYTES = 32 * 1024 * 1024;
/** About the average length of an answer in a log line. */
const MAX_TEXT_CHARS = 500;

export async function writeReplayLog(active: string, lines: number, sessions: number): Promise<ReplayLog> {
  const each = Math.round(lines / sessions);
  const templates = Array.from({ length: TEMPLATES }, (_, number) => templateOf(number, each));
  const writer = await openLogWriter({ active }, { rotateBytes: ROTATE_BYTES });
  const groups = Math.ceil(sessions / CONCURRENT_SESSIONS);
  const endMs = Date.now() - each * STEP_MS;
  const counts = { lines: 0, bytes: 0 };
  for (let group = 0; group < groups; group++) {
    const startMs = endMs - (DAYS * 24 * 3_600_000 * (groups - 1 - group)) / groups;
    const first = group * CONCURRENT_SESSIONS;
    const batch: string[] = [];
    for (let at = 0; at < each; at++) {
      for (let number = first; number < Math.min(first + CONCURRENT_SESSIONS, sessions); number++) {
        if (at === each - 1 && number % UNENDED_EVERY === 0) continue;
        batch.push(templates[number % TEMPLATES]![at]!(number, startMs));
      }
    }
    const { start, end } = await writer.append(batch);
    counts.lines += batch.length;
    counts.bytes += end - start;
  }
  await writer.close();
  await compressClosed({ active });
  return { ...counts, sessions };
}

type LineOf = (number: number, startMs: number) => string;

/** Builds a session of exactly this many lines: its start, as many turns as fit, its end. */
function templateOf(number: number, count: number): LineOf[] {
  const { events, ids } = recordSession(number, count);
  const ended = events.pop()!;
  const kept = [...events.slice(0, count - 1), ended];
  const [sessionId] = ids;
  const pattern = new RegExp(`(${[...ids].join("|")})`);
  return kept.map(({ line, atIso }, index) => {
    const parts = line
      .replaceAll(atIso, "@at@")
      .split(new RegExp(`${pattern.source}|(@at@)`))
      .filter(Boolean);
    return (copy, startMs) => {
      const at = new Date(startMs + index * STEP_MS).toISOString();
      return parts
        .map((part) => {
          if (part === "@at@") return at;
          if (!ids.has(part)) return part;
          return part === sessionId ? sessionOf(copy) : otherId(part, copy);
        })
        .join("");
    };
  });
}

interface Recorded {
  readonly line: string;
  readonly atIso: string;
}

/** Translates and accepts as the daemon does; each call is preceded by the model message that made it. */
function recordSession(number: number, count: number): { events: Recorded[]; ids: Set<string> } {
  const acceptor = createAcceptor({ mayRecord: () => true });
  const projectOf = (cwd: string | null): string | null => cwd;
  const entries = spoolEntries((count + 40) * (number + 1), number + 1).filter(({ content }) =>
    content.includes(`"session_id":"${sessionOf(number)}"`),
  );
  const transcript = claude.transcripts.open({ path: "/home/dev/session.jsonl" }, projectOf);
  const ids = new Set([sessionOf(number)]);
  const events: Recorded[] = [];
  for (const [index, { content, eventName }] of entries.entries()) {
    const occurredAtIso = new Date(1_700_000_000_000 + index * STEP_MS).toISOString();
    const json = content.slice(content.indexOf("{"));
    const payload = shortened(JSON.parse(json)) as Record<string, string>;
    payload["transcript_path"] = `/home/dev/.claude/projects/-home-dev-acme-shop/${sessionOf(number)}.jsonl`;
    const delivery: HookDelivery = {
      payload,
      env: eventName === "SessionStart" ? { CLAUDE_PID: "4711", CLAUDE_CODE_ENTRYPOINT: "cli" } : {},
      name: `4711-${10_000 + index}-0`,
      timeNs: String(1_700_000_000_000_000_000n + BigInt(index)),
      occurredAtIso,
      contentHash: () => contentHash(json),
      pid: 4_711,
    };
    const told = claude.translateHook(delivery, projectOf);
    if (eventName === "PreToolUse")
      told.unshift(...transcript.translateLine(answerOf(payload, occurredAtIso)));
    for (const event of acceptor.accept(told)) {
      for (const id of [event.id, event.promptId, event.toolUseId]) if (id != null) ids.add(id);
      events.push({ line: toLine(event), atIso: event.occurredAtIso });
    }
  }
  return { events, ids };
}

const answer = JSON.parse(
  readFileSync(
    join(import.meta.dirname, "..", "..", "test/fixtures/claude/transcripts/2.1.325-bash-tools.jsonl"),
    "utf8",
  )
    .split("\n")
    .find((line) => /"type": ?"assistant"/.test(line))!,
) as { message: Record<string, unknown> };

function answerOf(payload: Readonly<Record<string, string>>, timestamp: string): unknown {
  const { session_id: sessionId, prompt_id: promptId, tool_use_id: id, tool_name: name } = payload;
  const content = [{ type: "tool_use", id, name, input: payload["tool_input"] }];
  const message = { ...answer.message, id: `msg_${id}`, model: "claude-sonnet-4-5", content };
  return { ...answer, sessionId, promptId, timestamp, uuid: `uuid-${id}`, message };
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, MAX_TEXT_CHARS);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

function sessionOf(number: number): string {
  return `00000001-0000-4000-8000-${number.toString(16).padStart(6, "0")}000000`;
}

/** Uuids keep their form; the others get longer. Two reports of one fact keep a common id. */
function otherId(id: string, copy: number): string {
  if (!/^[0-9a-f]{8}-/.test(id)) return `${id}x${copy}`;
  const mixed = (Number.parseInt(id.slice(0, 8), 16) ^ Math.imul(copy + 1, 2_654_435_761)) >>> 0;
  return mixed.toString(16).padStart(8, "0") + id.slice(8);
}
