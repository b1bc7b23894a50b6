import { rowId } from "../event/ids.ts";
import { createKeyedOrder } from "./keyed-order.ts";
import {
  createWorkerTurns,
  hookBase,
  type PlaceTold,
  recordPrompt,
  type Turn,
  type TurnPorts,
} from "./worker-turns.ts";

/** What clients of the worker's routes may cause. What they tell goes the way of a hook's payload. */
export interface WorkerPorts extends TurnPorts {
  /** The session of a row of `sdk_sessions`. */
  sessionOfRow(row: number): Promise<string | undefined>;
}

export interface PromptTold {
  readonly prompt?: string | undefined;
  readonly promptNumber?: number | undefined;
  readonly place: PlaceTold;
}

export interface CallTold {
  readonly toolName: string;
  readonly toolInput?: unknown;
  readonly toolResponse?: unknown;
  readonly toolUseId?: string | undefined;
  readonly place: PlaceTold;
}

export interface WorkerAnswer {
  readonly status: "ok" | "skipped";
  readonly sessionDbId: number;
  readonly promptNumber: number;
  readonly skipped: boolean;
  readonly reason?: string;
}

export interface WorkerSessions {
  init(sessionId: string, told: PromptTold): Promise<WorkerAnswer>;
  observe(sessionId: string, call: CallTold): Promise<WorkerAnswer>;
  summarize(
    sessionId: string,
    told: { user?: string | undefined; assistant?: string | undefined },
  ): Promise<WorkerAnswer>;
  complete(sessionId: string, reason: string | undefined): Promise<WorkerAnswer>;
  sessionOfRow(row: number): Promise<string | undefined>;
}

/** Knows of every session in which turn it is, since clients do not say it. One for all servers of a daemon. */
export function createWorkerSessions(ports: WorkerPorts): WorkerSessions {
  const turns = createWorkerTurns(ports);
  /** What is told of a session is told in the order in which it came, however long it takes to find its turn. */
  const inOrder = createKeyedOrder();

  const within = async (
    sessionId: string,
    place: PlaceTold & { readonly isPrompt?: boolean },
    tell: (turn: Turn) => Promise<WorkerAnswer["reason"]>,
  ): Promise<WorkerAnswer> => {
    const { turn, telling } = await inOrder(sessionId, async () => {
      const found = await turns.find(sessionId, place, place.isPrompt ?? false);
      // Begun before the next one's turn is looked for, but not waited for by it.
      return { turn: found, telling: found === null ? "recorded by hooks" : tell(found) };
    });
    const reason = await telling;
    return {
      status: reason === undefined ? "ok" : "skipped",
      sessionDbId: rowId("session", sessionId),
      promptNumber: turn?.prompts ?? (await ports.session(sessionId))?.prompts ?? 0,
      skipped: reason !== undefined,
      ...(reason !== undefined && { reason }),
    };
  };

  return {
    init: (sessionId, { prompt = "", promptNumber, place }) =>
      within(sessionId, { ...place, isPrompt: true }, async (turn) => {
        if (prompt.trim() === "") return "empty";
        await recordPrompt(ports, sessionId, turn, prompt, promptNumber);
        return whyHidden(turn);
      }),
    // What a private prompt hides is told too: the acceptor keeps that it happened, and nothing of it.
    observe: (sessionId, call) =>
      within(sessionId, call.place, async (turn) => {
        await ports.record({
          ...hookBase(sessionId, turn, "PostToolUse"),
          tool_name: call.toolName,
          tool_input: call.toolInput,
          tool_response: call.toolResponse,
          tool_use_id: call.toolUseId ?? ports.newId(),
        });
        return whyHidden(turn);
      }),
    summarize: (sessionId, { user = "", assistant }) =>
      within(sessionId, {}, async (turn) => {
        // Of a client that never told a prompt.
        if (turn.promptId === null && user.trim() !== "") await recordPrompt(ports, sessionId, turn, user);
        await ports.record({ ...hookBase(sessionId, turn, "Stop"), last_assistant_message: assistant });
        return whyHidden(turn);
      }),
    complete: (sessionId, reason) =>
      within(sessionId, {}, async (turn) => {
        await ports.record({ ...hookBase(sessionId, turn, "SessionEnd"), reason: reason ?? "other" });
        turns.forget(sessionId);
        return undefined;
      }),
    sessionOfRow: ports.sessionOfRow,
  };
}

function whyHidden({ isPrivate }: Turn): string | undefined {
  return isPrivate ? "private" : undefined;
}
