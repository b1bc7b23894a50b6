// A user's history after a year: many ended sessions, a few running ones, and one that never stopped.
// Reported as Claude Code does, through translator and acceptor, and written as the daemon would have.

import { claude } from "../../src/agents/claude/claude.ts";
import type { HookDelivery } from "../../src/agents/hook-delivery.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import { contentHash } from "../../src/event/ids.ts";
import { toLine } from "../../src/event/line.ts";
import { openLogWriter } from "../../src/log/file/writer.ts";
import { briefStory, DEAD_PID, longStory, type Story, type StoryRecord } from "./page-stories.ts";

export interface PageHistory {
  readonly sessions: number;
  readonly live: number;
  readonly waiting: number;
  readonly events: number;
  /** The session that never stopped. */
  readonly longId: string;
  readonly longEvents: number;
}

const DAYS = 90;
const HOUR_MS = 3_600_000;
const ROTATE_BYTES = 32 * 1024 * 1024;
const LINES_AT_ONCE = 2_000;
const WAITING = 3;

/** `sessions` is the total; `longEvents` is the minimum number of events of the long one. */
export async function writePageHistory(
  active: string,
  wanted: { readonly sessions: number; readonly live: number; readonly longEvents: number },
): Promise<PageHistory> {
  const writer = await openLogWriter({ active }, { rotateBytes: ROTATE_BYTES });
  const nowMs = Date.now();
  let [batch, events]: [string[], number] = [[], 0];
  const write = async (lines: readonly string[]): Promise<void> => {
    batch.push(...lines);
    events += lines.length;
    if (batch.length < LINES_AT_ONCE) return;
    await writer.append(batch);
    batch = [];
  };
  const ended = wanted.sessions - wanted.live - 1;
  for (let number = 0; number < ended; number++) {
    // Increasingly frequent over time; the last one ended two hours ago.
    const agoMs = 2 * HOUR_MS + DAYS * 24 * HOUR_MS * (1 - number / ended) ** 1.5;
    await write(linesOf(briefStory(number, "ended"), nowMs - agoMs));
  }
  // Old enough to be no longer watched, so everything shown of it is read from the database.
  const long = longLines(wanted.longEvents, nowMs - 72 * HOUR_MS);
  await write(long.lines);
  for (let number = 0; number < wanted.live; number++) {
    const standing = number < WAITING ? "waiting" : "running";
    await write(linesOf(briefStory(ended + number, standing), nowMs - (40 + number) * 1_000));
  }
  if (batch.length > 0) await writer.append(batch);
  await writer.close();
  return {
    sessions: wanted.sessions,
    live: wanted.live,
    waiting: Math.min(WAITING, wanted.live),
    events,
    longId: long.sessionId,
    longEvents: long.lines.length,
  };
}

function longLines(atLeast: number, startMs: number): { sessionId: string; lines: string[] } {
  const { sessionId, turns, end } = longStory();
  const toLines = createLineWriter(sessionId, startMs);
  const lines: string[] = [];
  for (const turn of turns) {
    lines.push(...turn.flatMap(toLines));
    if (lines.length >= atLeast) break;
  }
  return { sessionId, lines: [...lines, ...end().flatMap(toLines)] };
}

function linesOf({ sessionId, records, pid }: Story, startMs: number): string[] {
  return records.flatMap(createLineWriter(sessionId, startMs, pid));
}

function createLineWriter(
  sessionId: string,
  startMs: number,
  pid = DEAD_PID,
): (record: StoryRecord) => string[] {
  const acceptor = createAcceptor({ mayRecord: () => true });
  const projectOf = (cwd: string | null): string | null => cwd;
  const path = `/home/dev/.claude/projects/-home-dev/${sessionId}.jsonl`;
  const transcript = claude.transcripts.open({ path }, projectOf);
  let count = 0;
  return (record) => {
    const occurredAtIso = new Date(startMs + record.at * 1_000).toISOString();
    count++;
    if ("line" in record)
      return acceptor
        .accept(transcript.translateLine({ ...record.line, sessionId, timestamp: occurredAtIso }))
        .map(toLine);
    const payload = { session_id: sessionId, transcript_path: path, ...record.hook };
    const delivery: HookDelivery = {
      payload,
      env: record.env ?? {},
      name: `${pid}-${count}-0`,
      timeNs: `${BigInt(Math.round(startMs + record.at * 1_000)) * 1_000_000n}`,
      occurredAtIso,
      contentHash: () => contentHash(JSON.stringify(payload)),
      pid,
    };
    return acceptor.accept(claude.translateHook(delivery, projectOf)).map(toLine);
  };
}
