import type { HooklineEvent } from "../event/event.ts";
import { rowId } from "../event/ids.ts";
import { isSampleSession } from "../event/sample.ts";
import { forgetContent } from "../privacy/forgotten-event.ts";
import type { ItemRow, MemoryRows, PromptRow, ToldOfItem } from "../store/memory-rows.ts";
import { summariseTurn, type TurnTelling } from "./compress/summarise-turn.ts";
import { promptItemContent, summaryItemContent } from "./compress/turn-item.ts";
import { promptOf, textOf } from "./fact-words.ts";
import type { ItemContent, SummaryContent } from "./memory-item.ts";
import type { Work } from "./memory-work.ts";
import { type Basis, resolveItem } from "./resolve-item.ts";
import { wordsOf } from "./turn-words.ts";

/** What the items are made of that stand for a turn: its prompts, and what came of it. */
interface TurnMaterial {
  readonly sessionId: string;
  readonly project: string | null;
  readonly prompts: readonly { readonly row: PromptRow; readonly told: ToldOfItem }[];
  /** Null for a prompt that has no turn. */
  readonly summary: {
    readonly id: number;
    /** Null while it runs. */
    readonly over: { readonly turn: TurnRead; readonly told: ToldOfItem } | null;
  } | null;
}

export async function readTurnMaterial(rows: MemoryRows, key: string): Promise<TurnMaterial | undefined> {
  const [sessionId = "", turnId = ""] = key.split("\n");
  if (isSampleSession(sessionId)) return undefined;
  const promptId = turnId.startsWith("@") ? null : turnId;
  const turn = promptId === null ? { factId: turnId.slice(1) } : { promptId };
  const prompts: TurnMaterial["prompts"][number][] = [];
  for (const row of await rows.prompts(sessionId, turn))
    prompts.push({ row, told: await rows.toldOf(row.id) });
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
): Promise<TurnMaterial["summary"]> {
  const id = summaryId(sessionId, promptId);
  // Most that is told of a turn is told while it runs.
  const ends = await rows.turnFacts({ sessionId, promptId, types: ["turn.end", "turn.failed"], limit: 20 });
  if (!ends.some(({ agentId }) => agentId == null)) return { id, over: null };
  const turn = await readTurn(rows, sessionId, promptId);
  return { id, over: { turn, told: await rows.toldOf(id) } };
}

export function makeTurn(work: Work, material: TurnMaterial): void {
  makePrompts(work, material);
  if (material.summary !== null) makeSummary(work, material, material.summary);
}

function makePrompts({ items, gone }: Work, { sessionId, project, prompts }: TurnMaterial): void {
  for (const { row, told } of prompts) {
    const { id, prompt, promptNumber, createdAtIso } = row;
    // Forgotten: its turn goes on without it.
    if (prompt === "") {
      gone.add(id);
      continue;
    }
    const basis: Basis = {
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
    items.set(id, resolveItem(basis, told));
  }
}

function makeSummary(
  { items, gone, summaries }: Work,
  { sessionId, project }: TurnMaterial,
  { id, over }: NonNullable<TurnMaterial["summary"]>,
): void {
  const turn = over?.turn;
  const isTold = turn !== undefined && !turn.isPrivate && !turn.isIdle;
  const summary = isTold ? toldSummary(turn) : null;
  // Also when its end was taken away after it was looked for.
  if (over == null || turn?.endedAtIso == null || summary === null) {
    gone.add(id);
    return;
  }
  const basis: Basis = {
    id,
    kind: "summary",
    sessionId,
    project,
    promptNumber: turn.promptNumber,
    toolName: null,
    branch: turn.branch,
    success: null,
    createdAtIso: turn.endedAtIso,
    content: summaryItemContent(summary, turn.telling.calls),
    summary,
  };
  const item = resolveItem(basis, over.told);
  items.set(id, item);
  const shown = item.summaryJson === null ? summary : (JSON.parse(item.summaryJson) as SummaryContent);
  summaries.push({ id, sessionId, ...shown, createdAtIso: item.createdAtIso });
}

/** Null where nothing is left to tell, also because it was forgotten. */
export function toldSummary({ telling, hasForgotten }: TurnRead): SummaryContent | null {
  const summary = summariseTurn(telling);
  const isEmpty = summary === null || Object.values(summary).every((part) => part === null);
  return isEmpty && hasForgotten ? null : summary;
}

export function summaryId(sessionId: string, promptId: string): number {
  return rowId("summary", `${sessionId}\n${promptId}`);
}

/** Facts of a turn that are to be forgotten, and the items that stand for them. */
export interface ForgottenParts {
  readonly facts: ReadonlySet<string>;
  readonly items: ReadonlySet<number>;
}

export interface TurnRead {
  readonly telling: TurnTelling;
  /** Of the calls, in the same order. */
  readonly ids: readonly number[];
  readonly promptNumber: number | null;
  readonly branch: string | null;
  readonly endedAtIso: string | null;
  readonly isPrivate: boolean;
  /** Something that was said in it is forgotten. */
  readonly hasForgotten: boolean;
  /** Begun by a machine, and nothing came of it but a word such as "Done." */
  readonly isIdle: boolean;
}

/** A shorter answer to a machine tells nothing that anybody would look for. */
const MIN_TOLD = 40;

/** A turn as far as it went, and as far as it is not to be forgotten. */
export async function readTurn(
  rows: MemoryRows,
  sessionId: string,
  promptId: string,
  forgotten?: ForgottenParts,
): Promise<TurnRead> {
  const read = async (types: readonly string[], limit: number): Promise<HooklineEvent[]> => {
    const found = await rows.turnFacts({ sessionId, promptId, types, limit });
    return found
      .filter(({ agentId }) => agentId == null)
      .map((event) => (forgotten?.facts.has(event.id) ? forgetContent(event) : event));
  };
  const facts = await read(["turn.start", "turn.end", "turn.failed"], 50);
  const messages = await read(["assistant.message"], 2_000);
  const all = await rows.turnItems(sessionId, promptId);
  const items = all.filter(({ id }) => !forgotten?.items.has(id));
  const [prompt] = await rows.prompts(sessionId, { promptId });
  return toTurnRead(facts, messages, items, prompt?.promptNumber ?? null);
}

function toTurnRead(
  facts: readonly HooklineEvent[],
  messages: readonly HooklineEvent[],
  items: readonly ItemRow[],
  promptNumber: number | null,
): TurnRead {
  const start = facts.find(({ eventType }) => eventType === "turn.start");
  const end = facts.findLast(({ eventType }) => eventType === "turn.end");
  const failure = facts.findLast(({ eventType }) => eventType === "turn.failed");
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
    promptNumber,
    branch:
      messages.map((message) => textOf(message["gitBranch"])).findLast((branch) => branch !== null) ?? null,
    endedAtIso: last?.occurredAtIso ?? null,
    isPrivate: start?.["private"] === true,
    hasForgotten: [...facts, ...messages].some((event) => event["forgotten"] === true),
    isIdle: start?.["machine"] === true && items.length === 0 && (answer ?? "").length < MIN_TOLD,
  };
}

function parseContent(json: string): ItemContent {
  return JSON.parse(json) as ItemContent;
}
