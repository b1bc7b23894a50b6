import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { factId as idOfFact, rowId } from "../event/ids.ts";
import type {
  InjectionRow,
  ItemRow,
  MadeRow,
  MarkRow,
  MemoryRows,
  MemoryWrite,
  OutboxEntry,
} from "../store/memory-rows.ts";
import { compressCall } from "./compress/compress-call.ts";
import { summariseTurn, type TurnTelling } from "./compress/summarise-turn.ts";
import { promptItemContent, summaryItemContent } from "./compress/turn-item.ts";
import { INJECTION_KINDS } from "./memory-contract.ts";
import { ItemContent, type SummaryContent } from "./memory-item.ts";
import { type Basis, resolveItem } from "./resolve-item.ts";
import { callsOf, type Words, wordsAround, wordsOf } from "./turn-words.ts";

/** What is to be written for these entries of the outbox. Reads facts, writes nothing. */
export function makeItems(rows: MemoryRows, entries: readonly OutboxEntry[]): MemoryWrite {
  const work: Work = {
    rows,
    items: new Map(),
    gone: new Set(),
    summaries: [],
    made: [],
    marks: [],
    injections: [],
    again: [],
    turns: new Map(),
  };
  for (const entry of entries) MAKERS[entry.kind](work, entry.key);
  const { items, gone, summaries, made, marks, injections, again } = work;
  return {
    done: entries,
    items: [...items.values()],
    gone: [...gone],
    summaries,
    made,
    marks,
    injections,
    again,
  };
}

interface Work {
  readonly rows: MemoryRows;
  readonly items: Map<number, ItemRow>;
  readonly gone: Set<number>;
  readonly summaries: NonNullable<MemoryWrite["summaries"]>[number][];
  readonly made: MadeRow[];
  readonly marks: MarkRow[];
  readonly injections: InjectionRow[];
  readonly again: OutboxEntry[];
  /** What was said in the turns that were looked at. */
  readonly turns: Map<string, TurnSaid>;
}

const MAKERS: Readonly<Record<OutboxEntry["kind"], (work: Work, key: string) => void>> = {
  call: makeCall,
  message: noteMessage,
  turn: makeTurn,
  made: takeMade,
  mark: takeMark,
  injected: takeInjected,
};

/** A turn may have thousands of messages: of these around a call the nearest are enough. */
const NEAR_MS = 10 * 60_000;
const MOST_MESSAGES = 200;

function makeCall({ rows, items, gone, again, turns }: Work, factId: string): void {
  const event = rows.fact(factId);
  if (event?.toolUseId == null) return;
  const { observationId, promptNumber } = rows.placeOf(factId);
  if (observationId === null) {
    gone.add(rowId("observation", event.toolUseId));
    return;
  }
  const said = event.promptId == null ? NOTHING_SAID : saidAround({ rows, turns }, event);
  const words = said.words.get(event.toolUseId) ?? { before: null, after: null };
  const content = compressCall({ event, ...words, prompt: said.prompt, projectPath: event.projectPath });
  const basis: Basis = {
    id: observationId,
    kind: "observation",
    sessionId: event.sessionId,
    project: event.projectPath ?? rows.sessionRow(event.sessionId)?.project ?? null,
    promptNumber,
    toolName: event.payload?.toolName ?? null,
    branch: textOf(event["gitBranch"]) ?? said.branch,
    success: event.payload?.success ?? null,
    createdAtIso: event.occurredAtIso,
    content,
    summary: null,
  };
  items.set(observationId, resolveItem(basis, rows.madeOf(observationId), rows.markOf(observationId)));
  // A summary that is there already is made of this too.
  if (event.promptId != null && said.isOver)
    again.push({ kind: "turn", key: `${event.sessionId}\n${event.promptId}` });
}

interface TurnSaid {
  readonly words: ReadonlyMap<string, Words>;
  readonly prompt: string | null;
  readonly branch: string | null;
  readonly isOver: boolean;
}

const NOTHING_SAID: TurnSaid = { words: new Map(), prompt: null, branch: null, isOver: false };

function saidAround({ rows, turns }: Pick<Work, "rows" | "turns">, event: HooklineEvent): TurnSaid {
  const atMs = Date.parse(event.occurredAtIso);
  const slot = Math.floor(atMs / NEAR_MS);
  const key = `${event.sessionId}\n${event.promptId}\n${slot}`;
  const known = turns.get(key);
  if (known !== undefined) return known;
  const turn = { sessionId: event.sessionId, promptId: event.promptId! };
  const messages = rows.turnFacts({
    ...turn,
    types: ["assistant.message"],
    sinceIso: new Date((slot - 1) * NEAR_MS).toISOString(),
    untilIso: new Date((slot + 2) * NEAR_MS).toISOString(),
    limit: MOST_MESSAGES,
  });
  const others = rows.turnFacts({ ...turn, types: ["turn.start", "turn.end", "turn.failed"], limit: 20 });
  const said: TurnSaid = {
    words: wordsAround(messages),
    prompt: promptOf(others),
    branch:
      messages.map((message) => textOf(message["gitBranch"])).findLast((branch) => branch !== null) ?? null,
    isOver: others.some(({ eventType, agentId }) => eventType !== "turn.start" && agentId == null),
  };
  turns.set(key, said);
  return said;
}

/** What was said around calls is part of what is remembered of them. */
function noteMessage({ rows, again }: Work, factId: string): void {
  const message = rows.fact(factId);
  if (message?.promptId == null) return;
  for (const toolUseId of callsOf(message)) {
    const call = rows.callFactId(toolUseId);
    if (call !== undefined) again.push({ kind: "call", key: call });
  }
  if (message.agentId == null) again.push({ kind: "turn", key: `${message.sessionId}\n${message.promptId}` });
}

function makeTurn(work: Work, key: string): void {
  const [sessionId = "", turnId = ""] = key.split("\n");
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
  const summary = turn === undefined || turn.isPrivate ? null : summariseTurn(turn.telling);
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
}

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
  return {
    telling: {
      prompt: promptOf(facts),
      messages: wordsOf(messages),
      lastAnswer: textOf(end?.["lastAssistantMessage"]),
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
  };
}

/** Items that our rules made are made again with it; others stand by themselves. */
function takeMade({ rows, items, made, again }: Work, factId: string): void {
  const event = rows.fact(factId);
  const itemId = event?.["itemId"];
  const item = event?.["item"];
  if (event === undefined || typeof itemId !== "number" || !isPlainObject(item)) return;
  const row: MadeRow = {
    itemId,
    madeBy: event["madeBy"] === "model" ? "model" : "import",
    sessionId: event.sessionId,
    factId,
    itemJson: JSON.stringify(item),
  };
  made.push(row);
  const known = rows.items([itemId])[0];
  if (known !== undefined && known.madeBy !== "import") {
    again.push(...againFor(rows, known));
    return;
  }
  const content = ItemContent.safeParse(item["content"]);
  if (row.madeBy !== "import" || !content.success) return;
  const basis: Basis = {
    id: itemId,
    kind: kindOf(item["kind"]),
    sessionId: event.sessionId,
    project: textOf(item["project"]) ?? event.projectPath,
    promptNumber: typeof item["promptNumber"] === "number" ? item["promptNumber"] : null,
    toolName: textOf(item["toolName"]),
    branch: textOf(item["branch"]),
    success: typeof item["success"] === "boolean" ? item["success"] : null,
    createdAtIso: textOf(item["createdAtIso"]) ?? event.occurredAtIso,
    content: content.data,
    summary: null,
  };
  const others = rows.madeOf(itemId).filter(({ madeBy }) => madeBy !== row.madeBy);
  items.set(itemId, resolveItem(basis, [...others, row], rows.markOf(itemId), "import"));
}

function takeMark({ rows, marks, again }: Work, factId: string): void {
  const event = rows.fact(factId);
  const itemId = event?.["itemId"];
  if (event === undefined || typeof itemId !== "number") return;
  const { pinned, edit, unedited } = event;
  marks.push({
    itemId,
    sessionId: event.sessionId,
    pinned: typeof pinned === "boolean" ? pinned : null,
    pinnedAtIso: typeof pinned === "boolean" ? event.occurredAtIso : null,
    editJson: isPlainObject(edit) ? JSON.stringify(edit) : null,
    editedAtIso: isPlainObject(edit) || unedited === true ? event.occurredAtIso : null,
  });
  const known = rows.items([itemId])[0];
  if (known !== undefined) again.push(...againFor(rows, known));
  // One that was imported with its mark is made in the same step, when the mark is not written yet.
  else again.push({ kind: "made", key: idOfFact("memory.item", String(itemId), "import") });
}

/** What makes an item again that is there. */
function againFor(rows: MemoryRows, item: ItemRow): OutboxEntry[] {
  const imported = rows.madeOf(item.id).find(({ madeBy }) => madeBy === "import");
  const source = rows.sourceOf(item);
  if (source !== undefined) return [source];
  return imported === undefined ? [] : [{ kind: "made", key: imported.factId }];
}

function takeInjected({ rows, injections }: Work, factId: string): void {
  const event = rows.fact(factId);
  const injection = event?.["injection"];
  if (event === undefined || !isPlainObject(injection)) return;
  const kind = INJECTION_KINDS.find((each) => each === injection["kind"]);
  if (kind === undefined || !Array.isArray(injection["items"])) return;
  injections.push({
    id: factId,
    sessionId: event.sessionId,
    project: event.projectPath,
    kind,
    atIso: event.occurredAtIso,
    tokens: typeof injection["tokens"] === "number" ? injection["tokens"] : 0,
    itemsJson: JSON.stringify(injection["items"]),
  });
}

function promptOf(facts: readonly HooklineEvent[]): string | null {
  return textOf(
    facts.find(({ eventType, agentId }) => eventType === "turn.start" && agentId == null)?.["prompt"],
  );
}

function parseContent(json: string): ItemContent {
  return JSON.parse(json) as ItemContent;
}

function kindOf(value: unknown): Basis["kind"] {
  return value === "summary" || value === "prompt" ? value : "observation";
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
