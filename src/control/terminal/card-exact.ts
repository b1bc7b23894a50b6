import { createHash } from "node:crypto";
import { asObject } from "../../agents/read-json.ts";
import { formOfRequest } from "../../agents/tool-call.ts";
import type { ToolForm } from "../../agents/tool-table.ts";
import { canonicalJson, isPlainObject } from "../../event/canonical.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import type { TerminalRequest } from "./card-request.ts";

/** Without a form it is a tool of the first agent. */
type Asked = Pick<Card, "toolName" | "input"> & { readonly toolForm?: ToolForm | null };

/**
 * What somebody allowed for the rest of a session: these very inputs. In memory only, and no longer than the agent's
 * process, as the session's own rules are.
 */
export interface Allowances {
  allow(request: TerminalRequest): void;
  has(request: TerminalRequest): boolean;
  /** Forgets what was allowed in a process that is over: a killed one tells no end, but the next tells its start. */
  heard(event: HooklineEvent): void;
}

const MOST_SESSIONS = 1_000;

export function createAllowances(): Allowances {
  const sessions = new Map<string, Set<string>>();
  return {
    allow(request) {
      if (sessions.size >= MOST_SESSIONS) sessions.clear();
      const keys = sessions.get(request.sessionId) ?? new Set();
      sessions.set(request.sessionId, keys.add(exactKey(request)));
    },
    has: (request) => sessions.get(request.sessionId)?.has(exactKey(request)) === true,
    heard(event) {
      if (isOtherProcess(event)) sessions.delete(event.sessionId);
    },
  };
}

/** After a compaction the same process goes on. */
function isOtherProcess(event: HooklineEvent): boolean {
  if (event.eventType !== "session.lifecycle") return false;
  return event.phase === "ended" || (event.phase === "started" && event["source"] !== "compact");
}

/**
 * The agent's own rule for this very command. In a rule `*` stands for anything and a backslash takes that back: a
 * command with one of them would allow others, and other tools have no rule for one input.
 */
export function exactRule(asked: Asked): { toolName: string; ruleContent: string } | undefined {
  const { toolName, input } = asked;
  const { command } = asObject(input);
  if (!isShell(asked) || typeof command !== "string" || command === "") return undefined;
  return /[*\\\n]/.test(command) ? undefined : { toolName, ruleContent: command };
}

function isShell({ toolName, toolForm }: Asked): boolean {
  return formOfRequest({ toolName, ...(toolForm != null && { toolForm }) }) === "shell";
}

/** The same for the same input; what a call says of itself is no part of it. */
function exactKey(asked: Asked): string {
  const { toolName, input } = asked;
  const { description: _description, ...rest } = asObject(input);
  const meant = isShell(asked) && isPlainObject(input) ? rest : input;
  const text = JSON.stringify(meant);
  // In order such keys are left out.
  const known = text.includes('"__proto__"') ? text : canonicalJson(meant);
  return createHash("sha256").update(`${toolName}\n${known}`).digest("hex");
}
