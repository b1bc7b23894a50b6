import { createHash } from "node:crypto";
import { asObject } from "../../agents/read-json.ts";
import { formOfRequest } from "../../agents/tool-call.ts";
import type { ToolForm } from "../../agents/tool-table.ts";
import { canonicalJson, isPlainObject } from "../../event/canonical.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import type { TerminalRequest } from "./terminal-request.ts";

/** Without a form, it is a tool of the first agent. */
type AskedCall = Pick<Card, "toolName" | "input"> & { readonly toolForm?: ToolForm | null };

/**
 * Exact inputs that a person allowed for the rest of a session. In memory only, and no longer than the
 * agent's process, like the session's own rules.
 */
export interface Allowances {
  allow(request: TerminalRequest): void;
  has(request: TerminalRequest): boolean;
  /** Drops allowances of ended processes: a killed one reports no end, but the next reports its start. */
  onEvent(event: HooklineEvent): void;
}

const MAX_SESSIONS = 1_000;

export function createAllowances(): Allowances {
  const sessions = new Map<string, Set<string>>();
  return {
    allow(request) {
      if (sessions.size >= MAX_SESSIONS) sessions.clear();
      const keys = sessions.get(request.sessionId) ?? new Set();
      sessions.set(request.sessionId, keys.add(exactKey(request)));
    },
    has: (request) => sessions.get(request.sessionId)?.has(exactKey(request)) === true,
    onEvent(event) {
      if (isOtherProcess(event)) sessions.delete(event.sessionId);
    },
  };
}

/** After a compaction, the same process continues. */
function isOtherProcess(event: HooklineEvent): boolean {
  if (event.eventType !== "session.lifecycle") return false;
  return event.phase === "ended" || (event.phase === "started" && event["source"] !== "compact");
}

/**
 * The agent's own rule for exactly this command. In a rule, `*` matches anything and a backslash escapes it,
 * so a command with either would allow others; other tools have no rule for a single input.
 */
export function exactRule(call: AskedCall): { toolName: string; ruleContent: string } | undefined {
  const { toolName, input } = call;
  const { command } = asObject(input);
  if (!isShell(call) || typeof command !== "string" || command === "") return undefined;
  return /[*\\\n]/.test(command) ? undefined : { toolName, ruleContent: command };
}

function isShell({ toolName, toolForm }: AskedCall): boolean {
  return formOfRequest({ toolName, ...(toolForm != null && { toolForm }) }) === "shell";
}

/** Equal for equal inputs; a call's own description does not count. */
function exactKey(call: AskedCall): string {
  const { toolName, input } = call;
  const { description: _description, ...rest } = asObject(input);
  const comparedInput = isShell(call) && isPlainObject(input) ? rest : input;
  const text = JSON.stringify(comparedInput);
  // canonicalJson drops such keys.
  const key = text.includes('"__proto__"') ? text : canonicalJson(comparedInput);
  return createHash("sha256").update(`${toolName}\n${key}`).digest("hex");
}
