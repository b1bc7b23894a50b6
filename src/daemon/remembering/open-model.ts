import { readTurn, summaryId } from "../../memory/build-turn-items.ts";
import { createApiCall } from "../../memory/summarise/call-api.ts";
import { createSdkCall } from "../../memory/summarise/call-sdk.ts";
import { driveModel, type ModelStatus } from "../../memory/summarise/drive-model.ts";
import type { TurnToSummarise } from "../../memory/summarise/turn-request.ts";
import type { MemoryStatus } from "../../serve/memory-queries.ts";
import type { JobTurn } from "../../store/memory-jobs.ts";
import type { MemoryRows, MemoryWrite } from "../../store/memory-rows.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";

/** The model that summarizes turns, if one is configured. */
export interface TurnModel {
  /** Queues the turns that were just written. */
  onWritten(write: MemoryWrite): void;
  status(): Promise<MemoryStatus["model"]>;
  close(): Promise<void>;
}

/** Turns that ended earlier, as in an import or a rebuild, are not worth a model's time. */
const MAX_TURN_AGE_MS = 24 * 3_600_000;

export function openModel(
  { env, home, config, nowMs }: Base,
  { liveStore, record }: Recording,
  rows: MemoryRows,
  reportError: (what: string) => (error: unknown) => void,
): TurnModel {
  const { model, modelVia, dailyTokens } = config.memory;
  const driver = driveModel({
    model,
    dailyTokens,
    jobs: (work) => liveStore.use((store) => work(store.jobs)),
    callModel:
      modelVia === "api"
        ? createApiCall({ env, now: nowMs })
        : createSdkCall({ env, now: nowMs, folder: home.modelFolder }),
    turnOf: (turn) => readTurnToSummarise(rows, turn),
    write: async (events) => void (await record(events, { until: "store" })),
    now: nowMs,
    schedule: (work, delayMs) => {
      const timer = setTimeout(work, delayMs).unref();
      return { cancel: () => clearTimeout(timer) };
    },
    onError: reportError("asking the model failed"),
  });
  return {
    onWritten(write) {
      if (model === null) return;
      for (const turn of freshTurns(write, nowMs()))
        driver.enqueue(turn).catch(reportError("queueing a turn for the model failed"));
    },
    status: async () => toModelStatus(await driver.status()),
    close: () => driver.close(),
  };
}

function toModelStatus(status: ModelStatus): MemoryStatus["model"] {
  const { model, waiting, todayTokens, budget, stoppedBy, untilIso, lastError, givenUp } = status;
  if (model === null) return null;
  const note = [
    stoppedBy === null ? null : `stopped by ${stoppedBy}${untilIso === null ? "" : ` until ${untilIso}`}`,
    lastError,
    givenUp === 0 ? null : `${givenUp} turn(s) abandoned`,
  ].filter((part) => part !== null);
  return {
    name: model,
    waiting,
    tokensToday: todayTokens,
    dailyTokens: budget,
    note: note.length === 0 ? null : note.join("; "),
  };
}

/** Turns whose summary was just written. */
function freshTurns(write: MemoryWrite, nowMs: number): JobTurn[] {
  const createdAt = new Map((write.summaries ?? []).map(({ id, createdAtIso }) => [id, createdAtIso]));
  return write.done.flatMap(({ kind, key }) => {
    const [sessionId, promptId] = kind === "turn" ? key.split("\n") : [];
    if (sessionId === undefined || promptId === undefined) return [];
    const atIso = createdAt.get(summaryId(sessionId, promptId));
    return atIso !== undefined && nowMs - Date.parse(atIso) < MAX_TURN_AGE_MS
      ? [{ sessionId, promptId }]
      : [];
  });
}

async function readTurnToSummarise(
  rows: MemoryRows,
  { sessionId, promptId }: JobTurn,
): Promise<TurnToSummarise | null> {
  const turn = await readTurn(rows, sessionId, promptId);
  if (turn.isPrivate || turn.endedAtIso === null) return null;
  const id = summaryId(sessionId, promptId);
  const summary = (await rows.items([id]))[0]?.summaryJson ?? null;
  return {
    sessionId,
    promptId,
    project: (await rows.sessionRow(sessionId))?.project ?? null,
    prompt: turn.input.prompt,
    lastMessage: turn.input.lastAnswer ?? turn.input.messages.at(-1) ?? null,
    summaryId: id,
    summary: summary === null ? null : (JSON.parse(summary) as TurnToSummarise["summary"]),
    observations: turn.input.calls.map(({ content }, index) => ({ id: turn.callItemIds[index]!, content })),
  };
}
