import type { HooklineEvent } from "../../src/event/event.ts";
import { historyEvents, historySessions } from "../../test/remember/history/history.ts";
import { sessionIdOf } from "../../test/remember/history/session-records.ts";
import { createSeededRandom } from "../bench/coding-history.ts";

const DAYS = 13;
const HOUR = 3_600_000;
const MODELS = [
  "claude-opus-5-5",
  "claude-opus-5-5",
  "claude-sonnet-5-5",
  "claude-sonnet-5-5",
  "claude-haiku-5-5",
];

/** Returns this many sessions of the scripted history, moved into the working hours of the last two weeks. */
export function pastWork(nowMs: number, sessions: number): HooklineEvent[] {
  const random = createSeededRandom(7);
  const all = historySessions();
  const step = all.length / sessions;
  const chosen = Array.from({ length: sessions }, (_, n) => all[Math.floor(n * step)]!);
  const moves = new Map(
    chosen.map(({ key, startMs }, n) => {
      const dayMs = nowMs - ((sessions - n) / sessions) * DAYS * 24 * HOUR - 5 * HOUR;
      const model = MODELS[Math.floor(random() * MODELS.length)]!;
      return [sessionIdOf(key), { byMs: dayMs + random() * 2 * HOUR - startMs, model, context: 15_000 }];
    }),
  );
  // A message is reported once for each of its parts, always with the same usage.
  const used = new Map<string, object>();
  return historyEvents().flatMap((event) => {
    const move = moves.get(event.sessionId);
    if (move === undefined) return [];
    const atMs = Math.min(Date.parse(event.occurredAtIso) + move.byMs, nowMs - HOUR);
    const { transcriptPath: _none, ...moved } = { ...event, occurredAtIso: new Date(atMs).toISOString() };
    if (event.eventType !== "assistant.message") {
      return [
        event.eventType === "session.lifecycle" && event["model"] ? { ...moved, model: move.model } : moved,
      ];
    }
    const messageId = String(event["messageId"]);
    const usage = used.get(messageId) ?? usageOf(move, random);
    used.set(messageId, usage);
    return [{ ...moved, model: move.model, usage }];
  }) as HooklineEvent[];
}

function usageOf(move: { context: number }, random: () => number): object {
  const written = 300 + Math.floor(random() * 2_400);
  move.context += written;
  return {
    input_tokens: 4 + Math.floor(random() * 12),
    output_tokens: 120 + Math.floor(random() * 900),
    cache_read_input_tokens: move.context,
    cache_creation_input_tokens: written,
  };
}
