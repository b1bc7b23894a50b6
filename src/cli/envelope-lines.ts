import type { Envelope } from "../control/envelope.ts";
import { toolText } from "../monitor/tool-text.ts";
import { microsText, plural } from "./amounts.ts";
import { shortDuration } from "./duration.ts";
import { noPaint, type Paint } from "./paint.ts";
import { oneLine, plainLines } from "./plain-text.ts";

const MOST_CHARS = 200;

/** What a terminal shows of an envelope, beside the text of the agent and what is asked. */
export function envelopeLines(envelope: Envelope, paint: Paint = noPaint): string[] {
  switch (envelope.type) {
    case "init": {
      const what = [envelope.version && `claude ${envelope.version}`, envelope.model, `in ${envelope.cwd}`];
      const broken = envelope.mcp.filter(({ status }) => status === "failed");
      return [
        paint("dim", short(what.filter(Boolean).join(", "))),
        ...broken.map(({ name, error }) =>
          paint("yellow", short(`MCP server ${name} failed: ${error ?? "?"}`)),
        ),
      ];
    }
    case "user":
      return plainLines(envelope.text).map((line) => paint("bold", `> ${line}`));
    case "state":
      if (envelope.state === "queued") return [paint("dim", "Waits for a free place …")];
      if (envelope.state === "retrying") return [];
      return envelope.state === "closed" ? [short(`Closed${because(envelope.why)}.`)] : [];
    case "text":
      return envelope.parent === null ? [] : [paint("dim", short(`  subagent: ${envelope.text}`))];
    case "tool.start":
      return [paint("cyan", short(`● ${envelope.tool} ${toolText(envelope.tool, envelope.input)}`))];
    case "tool.end":
      return envelope.ok ? [] : [paint("red", short(`  failed: ${envelope.output}`))];
    case "decision":
      if (envelope.verdict !== "deny") return [];
      return [paint("red", short(`✗ ${envelope.tool} denied: ${envelope.reason} (${envelope.rule})`))];
    case "permission.resolved":
    case "question.resolved": {
      const by = envelope.by === "user" ? (envelope.who ?? "somebody") : (envelope.rule ?? envelope.by);
      return [paint("dim", short(`  ${envelope.outcome}, by ${by}`))];
    }
    case "retry": {
      const what = envelope.error ?? (envelope.status === null ? "no answer" : `status ${envelope.status}`);
      const again = `try ${envelope.attempt} of ${envelope.max} in ${shortDuration(envelope.delayMs)}`;
      return [paint("yellow", short(`The model's API: ${what}; ${again}.`))];
    }
    case "mode":
      return [paint("dim", short(`Mode ${envelope.mode}, by ${envelope.by}.`))];
    case "model":
      return [paint("dim", short(`Model ${envelope.model}.`))];
    case "rule":
      return [paint("dim", short(`From now on in this session: ${envelope.rule} (${envelope.scope}).`))];
    case "task":
      if (envelope.what !== "started" && envelope.what !== "ended") return [];
      return [paint("dim", short(`  task ${envelope.what}: ${envelope.description ?? envelope.taskId}`))];
    case "result":
      return [paint(envelope.ok ? "dim" : "red", short(resultText(envelope)))];
    case "rewind":
      return [paint("dim", `Files taken back: ${plural(envelope.files.length, "file")}.`)];
    case "error":
      return [paint("red", short(`${envelope.message} (${envelope.code})`))];
    default:
      // Deltas and requests have their own place; what a newer daemon tells is not known here.
      return [];
  }
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
  const spent = turnCostUsd === null ? cost(totalCostUsd) : `${cost(turnCostUsd)} of ${cost(totalCostUsd)}`;
  const took = `${shortDuration(durationMs)}, ${spent}`;
  if (outcome === "completed") return `Done in ${took}.`;
  const status = apiStatus === null ? "" : ` (${apiStatus})`;
  return `The turn ended: ${outcome}${status}${message === null ? "" : `, ${message}`}; ${took}.`;
}

function because(why: string | null): string {
  return why === null ? "" : `: ${why}`;
}

function short(text: string): string {
  const line = oneLine(text);
  const indent = /^ */.exec(text)![0];
  return indent + (line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS - 1)}…` : line);
}
