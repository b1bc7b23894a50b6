import type { EventStamp, NewEvent, ToolPayload } from "../../event/event.ts";
import { type CallIdentity, callFactId, callKey, contentHash, factId } from "../../event/ids.ts";
import type { ToolKind } from "../../event/tool-kind.ts";
import { asObject, type Json, list, text } from "../read-json.ts";
import { skillFromTool } from "./skills.ts";
import { toolMetadata } from "./tool-metadata.ts";
import { renderToolOutput } from "./tool-output.ts";
import { claudeTools } from "./tools.ts";

/** One tool call as any source reports it. Hook, batch and transcript all end up here, so that the same
 *  call has the same ids and fields whatever the source. */
export interface ToolCallReport {
  readonly base: EventStamp;
  readonly toolUseId: string;
  readonly name: string;
  readonly input: unknown;
  /** The structured response, if the source has one. */
  readonly response?: unknown;
  /** The text that the model saw, if the source has it. */
  readonly shownText?: string | undefined;
  readonly error?: string | undefined;
  readonly success?: boolean | undefined;
  readonly durationMs?: number | undefined;
  /** The calls of one message share a key; the index is the position within it. */
  readonly batchKey?: string | undefined;
  readonly batchIndex?: number | undefined;
  readonly extraFields?: Json | undefined;
}

export function toolStartEvents(call: ToolCallReport): NewEvent[] {
  const payload: ToolPayload = {
    ...toolFields(call.name, call.input),
    metadata: toolMetadata({ name: call.name, input: call.input }),
  };
  const start: NewEvent = {
    ...call.base,
    ...batchFields(call),
    ...call.extraFields,
    id: callFactId(identityOf(call), "start"),
    eventType: "tool.start",
    toolUseId: call.toolUseId,
    payload,
  };
  return [start, ...skillEvents(call, "in_progress")];
}

export function toolEndEvents(call: ToolCallReport): NewEvent[] {
  const response = asObject(call.response);
  const patch = list(response, "structuredPatch");
  const original = text(response, "originalFile");
  const payload: ToolPayload = {
    ...toolFields(call.name, call.input),
    toolOutput: call.shownText ?? renderToolOutput(call.name, call.response) ?? call.error,
    durationMs: call.durationMs,
    success: call.success,
    errorMessage: call.error,
    metadata: toolMetadata(call),
    ...(patch.length > 0 && { structuredPatch: patch }),
    ...(original !== undefined && { originalFileHash: contentHash(original) }),
  };
  const end: NewEvent = {
    ...call.base,
    ...batchFields(call),
    ...call.extraFields,
    id: callFactId(identityOf(call), "end"),
    eventType: "tool_observation",
    toolUseId: call.toolUseId,
    payload,
  };
  return [end, ...(call.base.origin === "batch" ? [] : skillEvents(call, "completed"))];
}

function skillEvents(call: ToolCallReport, phase: "in_progress" | "completed"): NewEvent[] {
  const skillCall = skillFromTool(call.name, call.input);
  if (skillCall === undefined) return [];
  const { toolUseId, base } = call;
  const id = factId("skill", callKey(identityOf(call)), phase);
  return [{ ...base, id, eventType: "skill.lifecycle", phase, toolUseId, ...skillCall, turnSeq: null }];
}

/** The tool fields of a call's events. The subject is complete: capture masks it, then cuts it to a line. */
export function toolFields(name: string, input: unknown): ToolFields {
  return {
    toolName: name,
    toolKind: claudeTools.kindOf(name),
    subject: claudeTools.subjectOf(name, input) ?? undefined,
    toolInput: input,
  };
}

interface ToolFields {
  readonly toolName: string;
  readonly toolKind: ToolKind;
  readonly subject: string | undefined;
  readonly toolInput: unknown;
}

function identityOf({ base: { provider, sessionId }, toolUseId }: ToolCallReport): CallIdentity {
  return { provider, sessionId, toolUseId };
}

function batchFields(call: ToolCallReport): Json {
  return call.batchKey === undefined ? {} : { batchKey: call.batchKey, batchIndex: call.batchIndex };
}
