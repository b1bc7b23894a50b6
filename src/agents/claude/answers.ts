import type { AnswerFormat, HookAsk, HookMoments, HookReply, PermissionReply } from "../answer-format.ts";
import { asObject, boolean, type Json, list, nonEmpty, text } from "../read-json.ts";
import { fileOfInput } from "../tool-table.ts";
import { claudeProfile } from "./profile.ts";
import { claudeTools } from "./tools.ts";

const events: HookMoments = {
  start: "SessionStart",
  prompt: "UserPromptSubmit",
  call: "PreToolUse",
  permission: "PermissionRequest",
};
const MOMENTS = Object.entries(events) as [keyof HookMoments, string][];

/** In the formats that Claude Code was observed to accept. */
export const answers: AnswerFormat = {
  events,
  read: readAsk,
  write: writeReply,
  parse: parseReply,
};

function readAsk(payload: unknown): HookAsk | null {
  const fields = asObject(payload);
  const event = nonEmpty(fields, "hook_event_name");
  const sessionId = nonEmpty(fields, "session_id");
  if (event === undefined || sessionId === undefined) return null;
  const toolName = nonEmpty(fields, "tool_name");
  const textOrNull = (key: string): string | null => nonEmpty(fields, key) ?? null;
  return {
    provider: claudeProfile.id,
    event,
    moment: MOMENTS.find(([, name]) => name === event)?.[0] ?? null,
    sessionId,
    cwd: textOrNull("cwd"),
    promptId: textOrNull("prompt_id"),
    prompt: textOrNull("prompt"),
    toolName: toolName ?? null,
    toolForm: toolName === undefined ? null : claudeTools.formOf(toolName),
    toolInput: fields["tool_input"],
    file: fileOfInput(fields["tool_input"]),
    toolUseId: textOrNull("tool_use_id"),
    mode: textOrNull("permission_mode"),
    agentId: textOrNull("agent_id"),
    agentType: textOrNull("agent_type"),
    answer: text(fields, "last_assistant_message") ?? null,
    source: text(fields, "source") ?? text(fields, "reason") ?? text(fields, "trigger") ?? null,
    message: text(fields, "message") ?? null,
    transcriptPath: textOrNull("transcript_path"),
    isStopHookActive: boolean(fields, "stop_hook_active") ?? false,
    payload,
  };
}

function writeReply(event: string, reply: HookReply): object {
  const { call, updatedInput, permission, block, context, notice } = reply;
  const specific = {
    ...(call && { permissionDecision: call.verdict, permissionDecisionReason: call.reason }),
    ...(updatedInput && { updatedInput }),
    ...(permission && { decision: writeDecision(permission) }),
    ...(context !== undefined && { additionalContext: context }),
    // Keeps the text out of the transcript; in a terminal it stays in the input box.
    ...(block?.hidesPrompt === true && { suppressOriginalPrompt: true }),
  };
  return {
    ...(block && { decision: "block", reason: block.reason }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: event, ...specific } }),
    ...(notice !== undefined && { systemMessage: notice }),
  };
}

function writeDecision(reply: PermissionReply): object {
  if (reply.behavior === "deny") {
    const { behavior, message, interrupt } = reply;
    return { behavior, message, ...(interrupt === true && { interrupt }) };
  }
  const { behavior, updatedInput, allowRule, mode } = reply;
  const updatedPermissions = [
    // An entry without `destination` voids the whole answer; any other than `session` would be written to a file.
    ...(allowRule
      ? [{ type: "addRules", rules: [allowRule], behavior: "allow", destination: "session" }]
      : []),
    ...(mode !== undefined ? [{ type: "setMode", mode, destination: "session" }] : []),
  ];
  return {
    behavior,
    ...(updatedInput && { updatedInput }),
    ...(updatedPermissions.length > 0 && { updatedPermissions }),
  };
}

function parseReply(output: unknown): HookReply {
  const fields = asObject(output);
  const specific = asObject(fields["hookSpecificOutput"]);
  const verdict = specific["permissionDecision"];
  const context = text(specific, "additionalContext");
  const notice = text(fields, "systemMessage");
  const permission = parseDecision(specific["decision"]);
  return {
    ...((verdict === "allow" || verdict === "ask" || verdict === "deny") && {
      call: { verdict, reason: text(specific, "permissionDecisionReason") ?? "" },
    }),
    ...("updatedInput" in specific && { updatedInput: asObject(specific["updatedInput"]) }),
    ...(permission && { permission }),
    ...(fields["decision"] === "block" && {
      block: {
        reason: text(fields, "reason") ?? "",
        ...(specific["suppressOriginalPrompt"] === true && { hidesPrompt: true }),
      },
    }),
    ...(context !== undefined && { context }),
    ...(notice !== undefined && { notice }),
  };
}

function parseDecision(value: unknown): PermissionReply | undefined {
  const decision = asObject(value);
  if (decision["behavior"] === "deny")
    return {
      behavior: "deny",
      message: text(decision, "message") ?? "",
      ...(decision["interrupt"] === true && { interrupt: true }),
    };
  if (decision["behavior"] !== "allow") return undefined;
  const updates = list(decision, "updatedPermissions").map(asObject);
  const rule = updates.find(({ type }) => type === "addRules");
  const mode = updates.find(({ type }) => type === "setMode");
  return {
    behavior: "allow",
    ...("updatedInput" in decision && { updatedInput: asObject(decision["updatedInput"]) }),
    ...(rule && { allowRule: parseRule(asObject(list(rule, "rules")[0])) }),
    ...(mode && { mode: text(mode, "mode") ?? "" }),
  };
}

function parseRule(rule: Json): { toolName: string; ruleContent?: string } {
  const ruleContent = text(rule, "ruleContent");
  return { toolName: text(rule, "toolName") ?? "", ...(ruleContent !== undefined && { ruleContent }) };
}
