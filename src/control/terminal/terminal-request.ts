import type { HookAsk } from "../../agents/answer-format.ts";
import { asObject, type Json, list, nonEmpty, text } from "../../agents/read-json.ts";
import { requestKindOf } from "../../agents/tool-call.ts";
import { kindOfForm, type ToolForm } from "../../agents/tool-table.ts";
import { isNestedDeeper } from "../../shown/nesting.ts";
import type { Card, CardKind } from "../control-contract.ts";

/** A PermissionRequest as reported by a hook of a terminal session. */
export interface TerminalRequest {
  readonly sessionId: string;
  readonly kind: CardKind;
  readonly toolName: string;
  /** From the tool table of the asking agent; null if unknown. */
  readonly toolForm: ToolForm | null;
  /** As the agent sent it: nearly always an object. */
  readonly input: unknown;
  /** As the agent sent them, to be echoed with the answers. */
  readonly questions: readonly Json[];
  readonly plan: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly promptId: string | null;
  readonly cwd: string | null;
}

/** Deeper nesting breaks JSON serialization. */
const MAX_NESTING = 500;

/** Null for a payload that is not an answerable request. */
export function readTerminalRequest(ask: HookAsk | null): TerminalRequest | null {
  if (ask?.moment !== "permission" || ask.toolName === null) return null;
  const { sessionId, toolName, toolForm, agentId, agentType, promptId, cwd } = ask;
  const input = ask.toolInput ?? {};
  if (isNestedDeeper(input, MAX_NESTING)) return null;
  const fields = asObject(input);
  const kind = requestKindOf({ toolName, toolKind: toolForm === null ? null : kindOfForm(toolForm) });
  return {
    sessionId,
    kind,
    toolName,
    toolForm,
    input,
    questions: kind === "question" ? list(fields, "questions").map(asObject) : [],
    plan: kind === "plan" ? (nonEmpty(fields, "plan") ?? null) : null,
    agentId,
    agentType,
    promptId,
    cwd,
  };
}

export interface CardStamp {
  /** Of the delivery: the id of the event that the same hook recorded. */
  readonly id: string;
  readonly projectPath: string | null;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function toTerminalCard(request: TerminalRequest, stamp: CardStamp): Card {
  const { promptId: _promptId, toolForm: _toolForm, questions, ...requestFields } = request;
  return {
    ...requestFields,
    id: stamp.id,
    source: "terminal",
    // The request does not name its call.
    toolUseId: null,
    questions: [...questions],
    reason: stamp.reason,
    rule: stamp.rule,
    projectPath: stamp.projectPath,
    sinceIso: new Date(stamp.sinceMs).toISOString(),
    untilIso: new Date(stamp.untilMs).toISOString(),
    status: "pending",
    whyTerminal: null,
    inputBytes: Buffer.byteLength(JSON.stringify(request.input)),
    settled: null,
  };
}

/** A request too large to show is not sent anywhere: the terminal has it. */
export function toTooLargeCard(card: Card): Card {
  return {
    ...card,
    input: {},
    questions: [],
    plan: null,
    untilIso: null,
    status: "terminal",
    whyTerminal: "too_large",
  };
}

/** The texts that answers are keyed by. */
export function questionTexts(questions: readonly unknown[]): string[] {
  return questions.map((question) => text(asObject(question), "question") ?? "");
}
