import { rowId } from "../event/ids.ts";
import { createKeyedQueue } from "../serial-queue.ts";
import {
  createWorkerTurns,
  recordPrompt,
  type Turn,
  type TurnPorts,
  toHookBase,
  type WorkerLocation,
} from "./worker-turns.ts";

/** What the claude-mem compatible worker routes need. Reports of their clients are ingested like hook payloads. */
export interface WorkerPorts extends TurnPorts {
  /** The id of the session in this row of `sdk_sessions`. */
  sessionOfRow(row: number): Promise<string | undefined>;
}

export interface WorkerPrompt {
  readonly prompt?: string | undefined;
  readonly promptNumber?: number | undefined;
  readonly location: WorkerLocation;
}

export interface WorkerCall {
  readonly toolName: string;
  readonly toolInput?: unknown;
  readonly toolResponse?: unknown;
  readonly toolUseId?: string | undefined;
  readonly location: WorkerLocation;
}

export interface WorkerAnswer {
  readonly status: "ok" | "skipped";
  readonly sessionDbId: number;
  readonly promptNumber: number;
  readonly skipped: boolean;
  readonly reason?: string;
}

export interface WorkerSessions {
  init(sessionId: string, report: WorkerPrompt): Promise<WorkerAnswer>;
  observe(sessionId: string, call: WorkerCall): Promise<WorkerAnswer>;
  summarize(
    sessionId: string,
    report: { user?: string | undefined; assistant?: string | undefined },
  ): Promise<WorkerAnswer>;
  complete(sessionId: string, reason: string | undefined): Promise<WorkerAnswer>;
  sessionOfRow(row: number): Promise<string | undefined>;
}

/** Tracks every session's turn, because clients do not send it. Shared by all servers of a daemon. */
export function createWorkerSessions(ports: WorkerPorts): WorkerSessions {
  const turns = createWorkerTurns(ports);
  /** Reports of a session are recorded in order of arrival, however long it takes to find its turn. */
  const inOrder = createKeyedQueue();

  const inTurn = async (
    sessionId: string,
    location: WorkerLocation & { readonly isPrompt?: boolean },
    handle: (turn: Turn) => Promise<WorkerAnswer["reason"]>,
  ): Promise<WorkerAnswer> => {
    const { turn, pendingReason } = await inOrder(sessionId, async () => {
      const found = await turns.find(sessionId, location, location.isPrompt ?? false);
      // Started before the next report's turn is looked up, but not awaited by it.
      return { turn: found, pendingReason: found === null ? "recorded by hooks" : handle(found) };
    });
    const reason = await pendingReason;
    return {
      status: reason === undefined ? "ok" : "skipped",
      sessionDbId: rowId("session", sessionId),
      promptNumber: turn?.prompts ?? (await ports.session(sessionId))?.prompts ?? 0,
      skipped: reason !== undefined,
      ...(reason !== undefined && { reason }),
    };
  };

  return {
    init: (sessionId, { prompt = "", promptNumber, location }) =>
      inTurn(sessionId, { ...location, isPrompt: true }, async (turn) => {
        if (prompt.trim() === "") return "empty";
        await recordPrompt(ports, sessionId, turn, prompt, promptNumber);
        return privateReason(turn);
      }),
    // Calls under a private prompt are recorded too: the acceptor stores that they happened, and no content.
    observe: (sessionId, call) =>
      inTurn(sessionId, call.location, async (turn) => {
        await ports.record({
          ...toHookBase(sessionId, turn, "PostToolUse"),
          tool_name: call.toolName,
          tool_input: call.toolInput,
          tool_response: call.toolResponse,
          tool_use_id: call.toolUseId ?? ports.newId(),
        });
        return privateReason(turn);
      }),
    summarize: (sessionId, { user = "", assistant }) =>
      inTurn(sessionId, {}, async (turn) => {
        // For a client that never reported a prompt.
        if (turn.promptId === null && user.trim() !== "") await recordPrompt(ports, sessionId, turn, user);
        await ports.record({ ...toHookBase(sessionId, turn, "Stop"), last_assistant_message: assistant });
        return privateReason(turn);
      }),
    complete: (sessionId, reason) =>
      inTurn(sessionId, {}, async (turn) => {
        await ports.record({ ...toHookBase(sessionId, turn, "SessionEnd"), reason: reason ?? "other" });
        turns.forget(sessionId);
        return undefined;
      }),
    sessionOfRow: ports.sessionOfRow,
  };
}

function privateReason({ isPrivate }: Turn): string | undefined {
  return isPrivate ? "private" : undefined;
}
