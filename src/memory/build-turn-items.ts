import type { HooklineEvent } from "../event/event.ts";
import { rowId } from "../event/ids.ts";
import { isSampleSession } from "../event/sample.ts";
import { forgetContent } from "../privacy/forgotten-event.ts";
import type { ItemOverrides, ItemRow, MemoryRows, PromptRow } from "../store/memory-rows.ts";
import { summariseTurn, type TurnInput } from "./compress/summarise-turn.ts";
import { promptItemContent, summaryItemContent } from "./compress/turn-item.ts";
import { promptOf, textOf } from "./fact-text.ts";
import type { ItemContent, SummaryContent } from "./memory-item.ts";
import type { PendingWrite } from "./pending-write.ts";
import { type BaseItem, resolveItem } from "./resolve-item.ts";
import { messageTexts } from "./surrounding-text.ts";

/** What the items of a turn are built from: its prompts and its outcome. */
interface TurnSources {
  readonly sessionId: string;
  readonly project: string | null;
  readonly prompts: readonly { readonly row: PromptRow; readonly overrides: ItemOverrides }[];
  /** Null for a prompt without a turn. */
  readonly summary: {
    readonly id: number;
    /** Null while the turn runs. */
    readonly outcome: { readonly turn: TurnRecord; readonly overrides: ItemOverrides } | null;
  } | null;
}

export async function readTurnSources(rows: MemoryRows, key: string): Promise<TurnSources | undefined> {
  const [sessionId = "", turnId = ""] = key.split("\n");
  if (isSampleSession(sessionId)) return undefined;
  const promptId = turnId.startsWith("@") ? null : turnId;
  const turn = promptId === null ? { factId: turnId.slice(1) } : { promptId };
  const prompts: TurnSources["prompts"][number][] = [];
  for (const row of await rows.prompts(sessionId, turn))
    prompts.push({ row, overrides: await rows.overridesOf(row.id) });
  return {
    sessionId,
    project: (await rows.sessionRow(sessionId))?.project ?? null,
    prompts,
    summary: promptId === null ? null : await readSummary(rows, sessionId, promptId),
  };
}

async function readSummary(
  rows: MemoryRows,
  sessionId: string,
  promptId: string,
): Promise<TurnSources["summary"]> {
  const id = summaryId(sessionId, promptId);
  // Most events of a turn arrive while it runs, so check for its end first.
  const ends = await rows.turnFacts({ sessionId, promptId, types: ["turn.end", "turn.failed"], limit: 20 });
  if (!ends.some(({ agentId }) => agentId == null)) return { id, outcome: null };
  const turn = await readTurn(rows, sessionId, promptId);
  return { id, outcome: { turn, overrides: await rows.overridesOf(id) } };
}

export function buildTurnItems(work: PendingWrite, sources: TurnSources): void {
  buildPromptItems(work, sources);
  if (sources.summary !== null) buildSummaryItem(work, sources, sources.summary);
}

function buildPromptItems(
  { items, removed }: PendingWrite,
  { sessionId, project, prompts }: TurnSources,
): void {
  for (const { row, overrides } of prompts) {
    const { id, prompt, promptNumber, createdAtIso } = row;
    // A forgotten prompt loses its item; the rest of the turn stays.
    if (prompt === "" || overrides.isForgotten) {
      removed.add(id);
      continue;
    }
    const base: BaseItem = {
      id,
      kind: "prompt",
      sessionId,
      project,
      promptNumber,
      toolName: null,
      branch: null,
      success: null,
      createdAtIso,
      content: promptItemContent(prompt),
      summary: null,
    };
    items.set(id, resolveItem(base, overrides));
  }
}

function buildSummaryItem(
  { items, removed, summaries }: PendingWrite,
  { sessionId, project }: TurnSources,
  { id, outcome }: NonNullable<TurnSources["summary"]>,
): void {
  const turn = outcome?.turn;
  const isSummarised =
    turn !== undefined && !turn.isPrivate && !turn.isIdle && outcome?.overrides.isForgotten === false;
  const summary = isSummarised ? summariseRemaining(turn) : null;
  // Also covers a turn end that was removed after the check for it.
  if (outcome == null || turn?.endedAtIso == null || summary === null) {
    removed.add(id);
    return;
  }
  const base: BaseItem = {
    id,
    kind: "summary",
    sessionId,
    project,
    promptNumber: turn.promptNumber,
    toolName: null,
    branch: turn.branch,
    success: null,
    createdAtIso: turn.endedAtIso,
    content: summaryItemContent(summary, turn.input.calls),
    summary,
  };
  const item = resolveItem(base, outcome.overrides);
  items.set(id, item);
  const shown = item.summaryJson === null ? summary : (JSON.parse(item.summaryJson) as SummaryContent);
  summaries.push({ id, sessionId, ...shown, createdAtIso: item.createdAtIso });
}

/** Returns null when nothing is left to summarise, e.g. because it was forgotten. */
export function summariseRemaining({ input, hasForgotten }: TurnRecord): SummaryContent | null {
  const summary = summariseTurn(input);
  const isEmpty = summary === null || Object.values(summary).every((part) => part === null);
  return isEmpty && hasForgotten ? null : summary;
}

export function summaryId(sessionId: string, promptId: string): number {
  return rowId("summary", `${sessionId}\n${promptId}`);
}

/** Facts of a turn to be forgotten, and their items. */
export interface ForgottenParts {
  readonly facts: ReadonlySet<string>;
  readonly items: ReadonlySet<number>;
}

export interface TurnRecord {
  readonly input: TurnInput;
  /** Item ids of the calls, in the same order. */
  readonly callItemIds: readonly number[];
  readonly promptNumber: number | null;
  readonly branch: string | null;
  readonly endedAtIso: string | null;
  readonly isPrivate: boolean;
  /** Some of its content was forgotten. */
  readonly hasForgotten: boolean;
  /** Started by a machine, with no outcome beyond a word such as "Done." */
  readonly isIdle: boolean;
}

/** A shorter answer to a machine prompt contains nothing worth finding. */
const MIN_ANSWER_CHARS = 40;

/** Reads a turn up to its last event, without what is to be forgotten. */
export async function readTurn(
  rows: MemoryRows,
  sessionId: string,
  promptId: string,
  forgotten?: ForgottenParts,
): Promise<TurnRecord> {
  const read = async (types: readonly string[], limit: number): Promise<HooklineEvent[]> => {
    const found = await rows.turnFacts({ sessionId, promptId, types, limit });
    return found
      .filter(({ agentId }) => agentId == null)
      .map((event) => (forgotten?.facts.has(event.id) ? forgetContent(event) : event));
  };
  const facts = await read(["turn.start", "turn.end", "turn.failed"], 50);
  const messages = await read(["assistant.message"], 2_000);
  const allItems = await rows.turnItems(sessionId, promptId);
  const items = allItems.filter(({ id }) => !forgotten?.items.has(id));
  const [prompt] = await rows.prompts(sessionId, { promptId });
  return toTurnRecord(facts, messages, items, prompt?.promptNumber ?? null);
}

function toTurnRecord(
  facts: readonly HooklineEvent[],
  messages: readonly HooklineEvent[],
  items: readonly ItemRow[],
  promptNumber: number | null,
): TurnRecord {
  const start = facts.find(({ eventType }) => eventType === "turn.start");
  const end = facts.findLast(({ eventType }) => eventType === "turn.end");
  const failure = facts.findLast(({ eventType }) => eventType === "turn.failed");
  const last = end ?? failure;
  const answer = textOf(end?.["lastAssistantMessage"]);
  return {
    input: {
      prompt: promptOf(facts),
      messages: messageTexts(messages),
      lastAnswer: answer,
      calls: items.map(({ toolName, success, contentJson }) => ({
        toolName,
        success,
        content: parseContent(contentJson),
      })),
      failed: end === undefined && failure !== undefined ? (textOf(failure["error"]) ?? "unknown") : null,
    },
    callItemIds: items.map(({ id }) => id),
    promptNumber,
    branch:
      messages.map((message) => textOf(message["gitBranch"])).findLast((branch) => branch !== null) ?? null,
    endedAtIso: last?.occurredAtIso ?? null,
    isPrivate: start?.["private"] === true,
    hasForgotten: [...facts, ...messages].some((event) => event["forgotten"] === true),
    isIdle: start?.["machine"] === true && items.length === 0 && (answer ?? "").length < MIN_ANSWER_CHARS,
  };
}

function parseContent(json: string): ItemContent {
  return JSON.parse(json) as ItemContent;
}
