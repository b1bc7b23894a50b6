import { loadConfig, logFile } from "../config.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { Home } from "../home.ts";
import { readLog } from "../log/reader.ts";
import { LOG_START } from "../log/segments.ts";
import { decide, forTerminal } from "../policy/decide.ts";
import type { PolicyRequest, Verdict, World } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";
import { plural } from "./amounts.ts";
import { clock } from "./duration.ts";
import type { Paint } from "./paint.ts";
import { oneLine } from "./plain-text.ts";
import type { PolicyFor } from "./policy-rules.ts";
import { VERDICT_COLOURS } from "./policy-test.ts";
import { callText, timesText } from "./policy-text.ts";

export interface Replay {
  readonly sinceIso: string;
  readonly calls: number;
  readonly allowed: number;
  readonly asked: number;
  readonly denied: number;
  /** Let through or asked about with another input. */
  readonly rewritten: number;
  /** Verdicts that differ from those of the rules in force; null when these were replayed. */
  readonly changed: number | null;
  /** What was not simply allowed, and what differs. */
  readonly found: readonly ReplayedCall[];
}

interface ReplayedCall {
  readonly atIso: string;
  readonly sessionId: string;
  readonly toolUseId: string | null;
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly verdict: Verdict["verdict"];
  readonly rule: string;
  readonly reason: string;
  readonly updatedInput?: Verdict["updatedInput"];
  /** By the rules in force, where that is another verdict. */
  readonly now: Verdict["verdict"] | null;
}

export interface ReplayOptions {
  readonly sinceIso: string;
  readonly policyFor: PolicyFor;
  /** The rules in force, to compare with; null: they are what is replayed. */
  readonly inForce: PolicyFor | null;
  /** Only what the guard of a terminal passes on. */
  readonly guardOnly: boolean;
  readonly world: World;
}

/** Judges the calls that were recorded. Questions to the person are left out: they ask by themselves. */
export async function replayCalls(home: Home, options: ReplayOptions): Promise<Replay> {
  const { policyFor, inForce, guardOnly, world } = options;
  const counts = { allow: 0, ask: 0, deny: 0 };
  const found: ReplayedCall[] = [];
  let changed = 0;
  let rewritten = 0;
  const judge = (policy: Policy, request: PolicyRequest): Verdict => {
    const verdict = decide(policy, request, world);
    if (!guardOnly) return verdict;
    return forTerminal(verdict) ?? { ...verdict, verdict: "allow" };
  };
  const calls = await readCalls(home, options.sinceIso);
  for (const event of calls) {
    const request = toRequest(event);
    if (request === null) continue;
    const judged = judge(await policyFor(event.projectPath), request);
    if (judged.step === "person") continue;
    const now = inForce === null ? judged : judge(await inForce(event.projectPath), request);
    counts[judged.verdict]++;
    const differs = now.verdict !== judged.verdict;
    const isRewritten = judged.updatedInput !== undefined && judged.verdict !== "deny";
    if (differs) changed++;
    if (isRewritten) rewritten++;
    if (judged.verdict === "allow" && !differs && !isRewritten) continue;
    found.push({
      atIso: event.occurredAtIso,
      sessionId: event.sessionId,
      toolUseId: event.toolUseId ?? null,
      toolName: request.toolName,
      toolInput: request.toolInput,
      verdict: judged.verdict,
      rule: judged.rule,
      reason: judged.reason,
      ...(isRewritten && { updatedInput: judged.updatedInput }),
      now: differs ? now.verdict : null,
    });
  }
  return {
    sinceIso: options.sinceIso,
    calls: counts.allow + counts.ask + counts.deny,
    allowed: counts.allow,
    asked: counts.ask,
    denied: counts.deny,
    rewritten,
    changed: inForce === null ? null : changed,
    found,
  };
}

export function replayText(replay: Replay, paint: Paint, now: number): string {
  const lines = replay.found.map((call) => {
    const was = call.now === null ? "" : `  now: ${call.now}`;
    const becomes = call.updatedInput === undefined ? "" : ` → ${callText(call.toolName, call.updatedInput)}`;
    const verdict = paint(VERDICT_COLOURS[call.verdict], call.verdict.padEnd(5));
    const why = paint("dim", `(${call.rule}) ${oneLine(call.reason)}`);
    return `${verdict}  ${clock(call.atIso, now)}  ${call.sessionId.slice(0, 8)}  ${callText(call.toolName, call.toolInput)}${becomes}${was}  ${why}`;
  });
  const rewritten = replay.rewritten === 0 ? "" : `, rewritten ${replay.rewritten}`;
  const differ =
    replay.changed === null ? "" : `; ${replay.changed} would be other than by the rules in force`;
  const summary = `Of ${plural(replay.calls, "call")}: would have asked ${timesText(replay.asked)}, denied ${replay.denied}${rewritten}${differ}.`;
  return [...lines, summary].join("\n");
}

/** Each call once, in the order of the log, as its best teller told it: a hook knows the mode, a transcript does not. */
async function readCalls(home: Home, sinceIso: string): Promise<HooklineEvent[]> {
  const log = { active: logFile(home, loadConfig(home).config) };
  const calls = new Map<string, HooklineEvent>();
  for await (const { lines } of readLog(log, LOG_START)) {
    for (const line of lines) {
      if (!line.includes('"tool.start"')) continue;
      const event = JSON.parse(line) as HooklineEvent;
      if (event.eventType !== "tool.start" || event.occurredAtIso < sinceIso) continue;
      const known = calls.get(event.id);
      if (known === undefined || known["permissionMode"] == null) calls.set(event.id, event);
    }
  }
  return [...calls.values()];
}

function toRequest(event: HooklineEvent): PolicyRequest | null {
  const toolName = event.payload?.toolName;
  if (toolName == null || event.cwd === null) return null;
  const { permissionMode, agentType } = event;
  return {
    toolName,
    toolInput: event.payload?.toolInput,
    mode: typeof permissionMode === "string" ? permissionMode : "default",
    cwd: event.cwd,
    projectPath: event.projectPath,
    agentType: typeof agentType === "string" ? agentType : null,
  };
}
