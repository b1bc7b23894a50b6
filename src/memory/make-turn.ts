import { rowId } from "../event/ids.ts";
import { isSampleSession } from "../event/sample.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { summariseTurn, type TurnTelling } from "./compress/summarise-turn.ts";
import { promptItemContent, summaryItemContent } from "./compress/turn-item.ts";
import { promptOf, textOf } from "./fact-words.ts";
import type { ItemContent, SummaryContent } from "./memory-item.ts";
import type { Work } from "./memory-work.ts";
import { type Basis, resolveItem } from "./resolve-item.ts";
import { wordsOf } from "./turn-words.ts";

export function makeTurn(work: Work, key: string): void {
  const [sessionId = "", turnId = ""] = key.split("\n");
  if (isSampleSession(sessionId)) return;
  const promptId = turnId.startsWith("@") ? null : turnId;
  makePrompts(work, sessionId, promptId === null ? { factId: turnId.slice(1) } : { promptId });
  if (promptId !== null) makeSummary(work, sessionId, promptId);
}

function makePrompts(
  { rows, items, gone }: Work,
  sessionId: string,
  turn: { promptId: string } | { factId: string },
): void {
  const session = rows.sessionRow(sessionId);
  for (const { id, prompt, promptNumber, createdAtIso } of rows.prompts(sessionId, turn)) {
    // Forgotten: its turn goes on without it.
    if (prompt === "") {
      gone.add(id);
      continue;
    }
    const basis: Basis = {
      id,
      kind: "prompt",
      sessionId,
      project: session?.project ?? null,
      promptNumber,
      toolName: null,
      branch: null,
      success: null,
      createdAtIso,
      content: promptItemContent(prompt),
      summary: null,
    };
    items.set(id, resolveItem(basis, rows.madeOf(id), rows.markOf(id)));
  }
}

function makeSummary({ rows, items, gone, summaries }: Work, sessionId: string, promptId: string): void {
  const id = summaryId(sessionId, promptId);
  // Most that is told of a turn is told while it runs.
  const isOver = rows
    .turnFacts({ sessionId, promptId, types: ["turn.end", "turn.failed"], limit: 20 })
    .some(({ agentId }) => agentId == null);
  const turn = isOver ? readTurn(rows, sessionId, promptId) : undefined;
  const summary = turn === undefined || turn.isPrivate || turn.isIdle ? null : summariseTurn(turn.telling);
  if (turn === undefined || summary === null) {
    gone.add(id);
    return;
  }
  const session = rows.sessionRow(sessionId);
  const basis: Basis = {
    id,
    kind: "summary",
    sessionId,
    project: session?.project ?? null,
    promptNumber: turn.promptNumber,
    toolName: null,
    branch: turn.branch,
    success: null,
    createdAtIso: turn.endedAtIso!,
    content: summaryItemContent(summary, turn.telling.calls),
    summary,
  };
  const item = resolveItem(basis, rows.madeOf(id), rows.markOf(id));
  items.set(id, item);
  const shown = item.summaryJson === null ? summary : (JSON.parse(item.summaryJson) as SummaryContent);
  summaries.push({ id, sessionId, ...shown, createdAtIso: item.createdAtIso });
}

export function summaryId(sessionId: string, promptId: string): number {
  return rowId("summary", `${sessionId}\n${promptId}`);
}

export interface TurnRead {
  readonly telling: TurnTelling;
  /** Of the calls, in the same order. */
  readonly ids: readonly number[];
  readonly promptNumber: number | null;
  readonly branch: string | null;
  readonly endedAtIso: string | null;
  readonly isPrivate: boolean;
  /** Begun by a machine, and nothing came of it but a word such as "Done." */
  readonly isIdle: boolean;
}

/** A shorter answer to a machine tells nothing that anybody would look for. */
const MIN_TOLD = 40;

/** A turn as far as it went. */
export function readTurn(rows: MemoryRows, sessionId: string, promptId: string): TurnRead {
  const read = (types: readonly string[], limit: number) =>
    rows.turnFacts({ sessionId, promptId, types, limit }).filter(({ agentId }) => agentId == null);
  const facts = read(["turn.start", "turn.end", "turn.failed"], 50);
  const messages = read(["assistant.message"], 2_000);
  const start = facts.find(({ eventType }) => eventType === "turn.start");
  const end = facts.findLast(({ eventType }) => eventType === "turn.end");
  const failure = facts.findLast(({ eventType }) => eventType === "turn.failed");
  const items = rows.turnItems(sessionId, promptId);
  const last = end ?? failure;
  const answer = textOf(end?.["lastAssistantMessage"]);
  return {
    telling: {
      prompt: promptOf(facts),
      messages: wordsOf(messages),
      lastAnswer: answer,
      calls: items.map(({ toolName, success, contentJson }) => ({
        toolName,
        success,
        content: parseContent(contentJson),
      })),
      failed: end === undefined && failure !== undefined ? (textOf(failure["error"]) ?? "unknown") : null,
    },
    ids: items.map(({ id }) => id),
    promptNumber: rows.prompts(sessionId, { promptId })[0]?.promptNumber ?? null,
    branch:
      messages.map((message) => textOf(message["gitBranch"])).findLast((branch) => branch !== null) ?? null,
    endedAtIso: last?.occurredAtIso ?? null,
    isPrivate: start?.["private"] === true,
    isIdle: start?.["machine"] === true && items.length === 0 && (answer ?? "").length < MIN_TOLD,
  };
}

function parseContent(json: string): ItemContent {
  return JSON.parse(json) as ItemContent;
}
