import { machinePromptText } from "../../shown/machine-prompt-text.ts";
import type { Call, Entry, MarkKind } from "../conversation/entry.ts";
import { formatCount } from "../i18n/format.ts";
import { pairCalls } from "./pair-calls.ts";
import { readSubagents, type Subagent } from "./read-subagents.ts";
import { fieldsOf, numberOf, type SessionEvent, textOf, timeOf } from "./session-event.ts";

/** A session's conversation in order, with its calls and subagents. */
export interface Story {
  readonly entries: readonly Entry[];
  readonly calls: readonly Call[];
  readonly subagents: readonly Subagent[];
}

export function readStory(events: readonly SessionEvent[], isLive: boolean): Story {
  const calls = pairCalls(events, isLive);
  const subagents = readSubagents(events);
  const lanes = new Map<string | null, Entry[]>();
  const addTo = (agentId: string | null | undefined, entry: Entry): void => {
    const lane = lanes.get(agentId ?? null);
    if (lane === undefined) lanes.set(agentId ?? null, [entry]);
    else lane.push(entry);
  };
  for (const event of events) {
    const lane = event.agentId ?? null;
    for (const entry of entriesOf(event, lanes.get(lane) ?? [])) addTo(lane, entry);
  }
  const agentOfCall = new Map(subagents.map((agent) => [agent.parentCall, agent.agentId]));
  const attached = new Set(
    subagents.filter(({ parentCall }) => parentCall !== null).map(({ agentId }) => agentId),
  );
  for (const call of calls)
    addTo(call.agentId, { type: "call", key: call.key, atMs: call.startMs, call, inner: [] });
  const sorted = (entries: readonly Entry[]): Entry[] => [...entries].sort((a, b) => a.atMs - b.atMs);
  const innerOf = (key: string): readonly Entry[] => {
    const agentId = agentOfCall.get(key);
    return agentId === undefined ? [] : sorted(lanes.get(agentId) ?? []);
  };
  const main = [...lanes].flatMap(([agentId, entries]) =>
    // A subagent without a known call is in the main story.
    agentId === null || !attached.has(agentId) ? entries : [],
  );
  const entries = joinCompactions(sorted(main)).map((entry) =>
    entry.type === "call" ? { ...entry, inner: innerOf(entry.key) } : entry,
  );
  return { entries, calls, subagents };
}

function entriesOf(event: SessionEvent, before: readonly Entry[]): Entry[] {
  const { id: key, eventType, phase, promptId = null } = event;
  const atMs = timeOf(event);
  const mark = (kind: MarkKind, text: string | null, detail: string | null = null): Entry[] => [
    { type: "mark", key, atMs, kind, text: text ?? "", detail },
  ];
  switch (eventType) {
    case "turn.start": {
      const isMachine = event["machine"] === true;
      const prompt = textOf(event["prompt"]) ?? "";
      if (event["forgotten"] === true)
        return [{ type: "prompt", key, atMs, text: null, isForgotten: true, isMachine, promptId }];
      const text = event["private"] === true ? null : isMachine ? machinePromptText(prompt) : prompt;
      return [{ type: "prompt", key, atMs, text, isMachine, promptId }];
    }
    case "assistant.message":
      return Object.entries(fieldsOf(event["blocks"]))
        .sort(([a], [b]) => Number(a) - Number(b))
        .flatMap(([index, block]): Entry[] => {
          const { type, text } = fieldsOf(block);
          if (type !== "text" || textOf(text) === null) return [];
          return [
            {
              type: "answer",
              key: `${key}/${index}`,
              atMs,
              text: textOf(text)!,
              model: textOf(event["model"]),
            },
          ];
        });
    case "turn.end":
    case "turn.failed": {
      const message = textOf(event["lastAssistantMessage"]);
      const failed = eventType === "turn.end" ? null : (textOf(event["error"]) ?? "error");
      const answer: Entry[] =
        message === null || isRepeated(message, before)
          ? []
          : [{ type: "answer", key: `${key}/said`, atMs, text: message, model: null }];
      return [...answer, { type: "turnEnd", key, atMs, promptId, failed }];
    }
    case "subagent.lifecycle": {
      const message = phase === "stopped" ? textOf(event["lastAssistantMessage"]) : null;
      if (message === null || isRepeated(message, before)) return [];
      return [{ type: "answer", key, atMs, text: message, model: null }];
    }
    case "session.lifecycle":
      if (phase === "started") return mark("started", textOf(event["source"]));
      return phase === "ended" ? mark("ended", textOf(event["reason"])) : [];
    case "session.evidence":
      return phase === "gone" ? mark("lost", null) : [];
    case "compaction": {
      if (phase === "completed")
        return mark("compaction", textOf(event["trigger"]), textOf(event["summary"]));
      if (phase !== "boundary") return [];
      const [from, to] = [numberOf(event["preTokens"]), numberOf(event["postTokens"])];
      return mark(
        "compaction",
        from === null || to === null ? null : `${formatCount(from)} → ${formatCount(to)}`,
      );
    }
    case "model.switch":
      return phase === "completed" ? mark("model", textOf(event["toModel"]), textOf(event["fromModel"])) : [];
    case "skill.lifecycle":
      return phase === "in_progress" ? mark("skill", textOf(event["skillName"])) : [];
    case "agent.event":
      return event["name"] === "interrupted" ? mark("interrupted", null) : [];
    case "control.card": {
      const card = fieldsOf(event["card"]);
      if (phase !== "settled") return [];
      // Released without an answer: it still waits in its terminal.
      if (RELEASED_BY.has(textOf(card["by"]) ?? "")) return mark("released", null);
      return mark("settled", textOf(card["outcome"]), textOf(card["who"]) ?? textOf(card["by"]));
    }
    case "control.envelope": {
      const envelope = fieldsOf(event["envelope"]);
      if (phase !== "permission.resolved" && phase !== "question.resolved") return [];
      return mark("settled", textOf(envelope["outcome"]), textOf(envelope["who"]) ?? textOf(envelope["by"]));
    }
    default:
      return [];
  }
}

const RELEASED_BY: ReadonlySet<string> = new Set(["timeout", "cancelled", "stopped"]);

const MERGE_WINDOW_MS = 60_000;

/** A compaction is reported by the hook, with its summary, and by the transcript, with its sizes. */
function joinCompactions(entries: readonly Entry[]): Entry[] {
  const joined: Entry[] = [];
  let last = -1;
  for (const entry of entries) {
    const previous = joined[last];
    if (entry.type !== "mark" || entry.kind !== "compaction") joined.push(entry);
    else if (previous?.type === "mark" && entry.atMs - previous.atMs < MERGE_WINDOW_MS) {
      const text = [previous.text, entry.text].filter((part) => part !== "").join(", ");
      joined[last] = { ...previous, text, detail: previous.detail ?? entry.detail };
    } else last = joined.push(entry) - 1;
  }
  return joined;
}

/** Hooks report the last answer a second time, sometimes shortened. */
function isRepeated(text: string, before: readonly Entry[]): boolean {
  const beginning = text.trim().slice(0, 200);
  for (let index = before.length - 1; index >= 0; index--) {
    const entry = before[index]!;
    if (entry.type === "prompt" || entry.type === "turnEnd") return false;
    if (entry.type === "answer" && entry.text.trim().includes(beginning)) return true;
  }
  return false;
}
