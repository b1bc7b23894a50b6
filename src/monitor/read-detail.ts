import { isDeniedCall } from "../agents/denied-call.ts";
import { isEditCall } from "../agents/tool-call.ts";
import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { readSkills } from "./read-agents.ts";
import { hasTurnEnded, openTurn } from "./read-turns.ts";
import { waitIntervalOf, waitsOf } from "./read-waits.ts";
import { readView } from "./reading.ts";
import type { HumanWait, SessionDetail, ToolTotal, Turn } from "./session-detail.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import type { SessionView, TurnView } from "./session-view.ts";
import { createUsageFold, type UsageFold } from "./usage.ts";

/** Builds a session's full detail from its facts, applied one by one, and the monitor's view of it. */
export interface DetailFold {
  apply(event: HooklineEvent): void;
  read(session: SessionSnapshot, view: SessionView): SessionDetail;
}

export function createDetailFold(prices: UsageSource): DetailFold {
  const turns = new Map<string, TurnCount>();
  const tools = new Map<string, { -readonly [K in keyof ToolTotal]: ToolTotal[K] }>();
  const files = new Set<string>();
  return {
    apply(event) {
      const turn = turnOf(turns, event.promptId ?? "", prices);
      if (event.eventType === "turn.start") turn.prompts.push(event);
      else if (event.eventType === "assistant.message") turn.usage.apply(event);
      else if (event.eventType === "tool_observation") {
        countTool(tools, turn, event);
        const path = changedFile(event);
        if (path !== null) files.add(path);
      }
    },
    read: (session, view) => ({
      session,
      turns: toTurns(view, turns, session.endedAtIso !== null),
      tools: [...tools.values()].sort((a, b) => b.count - a.count || (a.toolName < b.toolName ? -1 : 1)),
      skills: readSkills(readView(view, { nowMs: 0, quietMs: 0 }), session.endedAtIso !== null),
      usage: view.usage.toSessionUsage(),
      waits: session.attended === false ? [] : toWaits(view, session.endedAtIso),
      filesChanged: [...files].sort(),
    }),
  };
}

/** The file that a call wrote, if any. */
export function changedFile({ payload }: HooklineEvent): string | null {
  if (payload?.success !== true || !isEditCall(payload)) return null;
  return payload.metadata?.filePath ?? null;
}

interface TurnCount {
  readonly prompts: HooklineEvent[];
  readonly usage: UsageFold;
  tools: number;
  failed: number;
}

function turnOf(turns: Map<string, TurnCount>, promptId: string, prices: UsageSource): TurnCount {
  const known = turns.get(promptId);
  if (known !== undefined) return known;
  const turn = { prompts: [], usage: createUsageFold(prices), tools: 0, failed: 0 };
  turns.set(promptId, turn);
  return turn;
}

function countTool(
  tools: Map<string, { -readonly [K in keyof ToolTotal]: ToolTotal[K] }>,
  turn: TurnCount,
  event: HooklineEvent,
): void {
  const { payload } = event;
  const toolName = payload?.toolName ?? "unknown";
  const total = tools.get(toolName) ?? { toolName, count: 0, failed: 0, totalMs: 0, longestMs: 0 };
  tools.set(toolName, total);
  const isFailed = payload?.success === false && !isDeniedCall(event);
  const durationMs = payload?.durationMs ?? 0;
  total.count++;
  total.failed += isFailed ? 1 : 0;
  total.totalMs += durationMs;
  total.longestMs = Math.max(total.longestMs, durationMs);
  turn.tools++;
  turn.failed += isFailed ? 1 : 0;
}

/** Turns in start order; only those started by a person are numbered. */
function toTurns(view: SessionView, counts: ReadonlyMap<string, TurnCount>, isEnded: boolean): Turn[] {
  const open = openTurn(view);
  const running = isEnded ? null : open;
  const turns = [...view.turns.values()]
    .filter((turn) => turn.start !== null || turn.end !== null || turn === open)
    .map((turn) => ({ turn, startedAtIso: turn.start?.at ?? (turn.active.at || turn.end!.at) }))
    .sort((a, b) => (a.startedAtIso < b.startedAtIso ? -1 : 1));
  let number = 0;
  return turns.map(({ turn, startedAtIso }) => {
    const count = counts.get(turn.promptId);
    const first = count?.prompts.toSorted((a, b) => (a.occurredAtIso < b.occurredAtIso ? -1 : 1))[0];
    const isMachine = first?.["machine"] === true;
    if (!isMachine && first !== undefined) number++;
    const usage = count?.usage.read();
    return {
      promptId: turn.promptId || null,
      number: isMachine || first === undefined ? null : number,
      prompt: typeof first?.["prompt"] === "string" && first["private"] !== true ? first["prompt"] : null,
      ...(first?.["forgotten"] === true && { isForgotten: true as const }),
      isMachine,
      startedAtIso,
      endedAtIso: turn === running ? null : endedAt(turn, startedAtIso),
      outcome: outcomeOf(turn, running),
      toolCount: count?.tools ?? 0,
      failedToolCount: count?.failed ?? 0,
      tokens: usage?.tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      costMicros: usage === undefined || usage.cost.unpricedModels.length > 0 ? null : usage.cost.micros,
    };
  });
}

/** For a turn without a reported end: its last activity. */
function endedAt({ end, active }: TurnView, startedAtIso: string): string {
  const at = end !== null && end.at > active.at ? end.at : active.at;
  return at === "" ? startedAtIso : at;
}

function outcomeOf(turn: TurnView, running: TurnView | null): Turn["outcome"] {
  if (turn === running) return "running";
  return turn.end !== null && hasTurnEnded(turn) ? turn.end.kind : "interrupted";
}

function toWaits(view: SessionView, endedAtIso: string | null): HumanWait[] {
  return waitsOf(view)
    .map((wait) => ({
      sessionId: view.sessionId,
      kind: wait.kind,
      text: wait.text,
      ...waitIntervalOf(view, wait, endedAtIso),
    }))
    .sort((a, b) => (a.startedAtIso < b.startedAtIso ? -1 : 1));
}
