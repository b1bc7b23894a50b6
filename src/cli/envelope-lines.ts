import { textOfCall } from "../agents/tool-call.ts";
import type { Envelope } from "../control/envelope.ts";
import { microsText } from "../shown/cost-text.ts";
import { shortDuration } from "../shown/duration.ts";
import { oneLine, plainLines } from "../shown/plain-text.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { plural } from "./amounts.ts";
import { noPaint, type Paint } from "./paint.ts";

const MAX_LINE_CHARS = 200;

/** The terminal lines for an envelope, except the agent's text and requests. */
export function envelopeLines(envelope: Envelope, paint: Paint = noPaint): string[] {
  switch (envelope.type) {
    case "init": {
      const what = [envelope.version && `claude ${envelope.version}`, envelope.model, `in ${envelope.cwd}`];
      const broken = envelope.mcp.filter(({ status }) => status === "failed");
      return [
        paint("dim", short(what.filter(Boolean).join(", "))),
        ...broken.map(({ name, error }) =>
          paint("yellow", short(`MCP server ${name} did not start${reasonSuffix(error)}.`)),
        ),
      ];
    }
    case "user":
      return plainLines(envelope.text).map((line) => paint("bold", `> ${line}`));
    case "state":
      if (envelope.state === "queued")
        return [paint("dim", short(`Queued: starts when a slot is free${reasonSuffix(envelope.why)}`))];
      if (envelope.state === "retrying") return [];
      return envelope.state === "closed" ? [short(`Closed${reasonSuffix(envelope.why)}.`)] : [];
    case "text":
      return envelope.parent === null ? [] : [paint("dim", short(`  subagent: ${envelope.text}`))];
    case "tool.start":
      return [
        paint(
          "cyan",
          short(`● ${envelope.tool} ${textOfCall({ toolName: envelope.tool, toolInput: envelope.input })}`),
        ),
      ];
    case "tool.end":
      return envelope.ok ? [] : [paint("red", short(`  failed: ${envelope.output}`))];
    case "decision":
      if (envelope.verdict !== "deny") return [];
      return [paint("red", short(`✗ ${envelope.tool} denied: ${envelope.reason} (${envelope.rule})`))];
    case "permission.resolved":
    case "question.resolved": {
      return [paint("dim", short(`  ${settledText(envelope)}`))];
    }
    case "retry": {
      const isKnown = envelope.error !== null && envelope.error !== "unknown";
      const statusText = envelope.status === null ? "no response" : `status ${envelope.status}`;
      const what = isKnown ? envelope.error : statusText;
      const retryText = `retry ${envelope.attempt} of ${envelope.max} in ${shortDuration(envelope.delayMs)}`;
      return [paint("yellow", short(`API error: ${what}; ${retryText}.`))];
    }
    case "mode":
      return [paint("dim", short(`Mode changed to ${envelope.mode} by ${envelope.by}.`))];
    case "model":
      return [paint("dim", short(`Model changed to ${envelope.model}.`))];
    case "rule":
      return [paint("dim", short(`  ${ruleText(envelope)} is allowed for this session`))];
    case "task":
      if (envelope.background === false || (envelope.what !== "started" && envelope.what !== "ended"))
        return [];
      return [paint("dim", short(`  task ${envelope.what}: ${envelope.description ?? envelope.taskId}`))];
    case "result":
      return [paint(envelope.ok ? "dim" : "red", short(resultText(envelope)))];
    case "rewind":
      return [paint("dim", `Restored ${plural(envelope.files.length, "file")}.`)];
    case "error":
      // A problem in a project does not stop the session.
      if (envelope.code === "project_problem") return [paint("yellow", short(envelope.message))];
      return [paint("red", short(`${envelope.message} (${envelope.code})`))];
    default:
      // Deltas and requests are shown elsewhere; types from a newer daemon are unknown here.
      return [];
  }
}

/** How a request was settled. Unknown outcomes from a newer daemon are shown as they are. */
export function outcomeText({ outcome, by }: Pick<Settled, "outcome" | "by">): string {
  const texts: Readonly<Record<string, string>> = OUTCOME_TEXTS;
  const withdrawn: Readonly<Record<string, string>> = WITHDRAWN_TEXTS;
  if (outcome === "withdrawn") return withdrawn[by] ?? "no longer waiting";
  return texts[outcome] ?? visibleLine(outcome);
}

/** How a request was settled, and by whom or what. */
export function settledText({ outcome, by, who, rule }: Settled): string {
  const text = outcomeText({ outcome, by });
  if (outcome === "withdrawn") return text;
  const texts: Readonly<Record<string, string>> = SETTLED_BY_TEXTS;
  const settledBy = by === "user" ? (who ?? SETTLED_BY_TEXTS.user) : (rule ?? texts[by] ?? by);
  return `${text} by ${visibleLine(settledBy)}`;
}

interface Settled {
  readonly outcome: string;
  readonly by: string;
  readonly who?: string | null;
  readonly rule?: string | null;
}

/** Who or what settled it, when it was not a person. */
const SETTLED_BY_TEXTS = {
  user: "a person",
  rule: "a rule",
  terminal: "the terminal",
  stopped: "a stop",
  cancelled: "the agent",
  ended: "the end of the session",
  timeout: "a timeout",
  lost: "a crash",
} as const;

/** A withdrawn request was not answered here; `by` says why. After a timeout the terminal still waits. */
const WITHDRAWN_TEXTS = {
  terminal: "answered in the terminal",
  ended: "no longer waiting: the session ended",
  timeout: "left to the terminal: no answer here in time",
} as const;

const OUTCOME_TEXTS = {
  allow: "allowed",
  allowAll: "allowed for the session",
  deny: "denied",
  answered: "answered",
  lost: "lost",
} as const;

/** `session/exact/Bash`: the rule of a tool that a person always allows. */
function ruleText({ rule, scope }: Envelope & { readonly type: "rule" }): string {
  const tool = rule.split("/").at(-1)!;
  return scope === "tool" ? `every ${tool} call` : `this ${tool} call`;
}

type Result = Envelope & { readonly type: "result" };

/** How a turn ended, in a sentence. */
export function resultText({
  outcome,
  message,
  apiStatus,
  durationMs,
  turnCostUsd,
  totalCostUsd,
}: Result): string {
  const cost = (usd: number): string => microsText(usd * 1_000_000);
  const isSameCost = turnCostUsd === null || cost(turnCostUsd) === cost(totalCostUsd);
  const spent = isSameCost ? cost(totalCostUsd) : `${cost(turnCostUsd)}, ${cost(totalCostUsd)} total`;
  const totals = `${shortDuration(durationMs)}, ${spent}`;
  if (outcome === "completed") return `Done in ${totals}.`;
  // The agent's own text about an interruption describes its internals.
  if (outcome === "interrupted") return `Stopped after ${totals}.`;
  const status = apiStatus === null ? "" : ` (${apiStatus})`;
  return `The turn ended: ${outcome}${status}${message === null ? "" : `, ${message}`}; ${totals}.`;
}

function reasonSuffix(why: string | null): string {
  return why === null ? "" : `: ${why}`;
}

function short(text: string): string {
  const line = oneLine(text);
  const indent = /^ */.exec(text)![0];
  return indent + (line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS - 1)}…` : line);
}
