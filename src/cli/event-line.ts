import { isDeniedCall } from "../agents/denied-call.ts";
import { asObject } from "../agents/read-json.ts";
import { textOfCall } from "../agents/tool-call.ts";
import type { HooklineEvent } from "../event/event.ts";
import { machinePromptText } from "../shown/machine-prompt-text.ts";
import { plainText } from "../shown/plain-text.ts";
import { plural } from "./amounts.ts";
import { settledText } from "./envelope-lines.ts";
import { requestLine } from "./request-text.ts";

const MAX_LINE_CHARS = 160;

/** One event on one terminal line. `isDenied`: its call was denied, which the event itself does not show. */
export function eventLine(event: HooklineEvent, { isDenied = false } = {}): string {
  const time = timeOfDay(new Date(event.occurredAtIso));
  const session = event.sessionId.slice(0, 8);
  const what = [event.eventType, event.phase].filter(Boolean).join(" ");
  return clean(
    `${time} ${session} ${what.padEnd(32)} ${detail(event, isDenied || isDeniedCall(event))}`.trimEnd(),
  );
}

/** Local time, to the millisecond. */
function timeOfDay(at: Date): string {
  if (!Number.isFinite(at.getTime())) return "??:??:??.???";
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${parts.join(":")}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

function detail(event: HooklineEvent, isDenied: boolean): string {
  const { payload } = event;
  if (event.eventType === "permission") return requestDetail(event);
  if (payload !== undefined) {
    const subject =
      payload.metadata?.command ?? payload.metadata?.filePath ?? payload.metadata?.pattern ?? "";
    const failed = isDenied ? " denied" : payload.success === false ? " failed" : "";
    return `${payload.toolName ?? ""}${failed} ${subject}`;
  }
  const reaction = asObject(event["reaction"]);
  if (typeof reaction["rule"] === "string")
    return [
      reaction["ok"] === false ? "failed" : "done",
      reaction["rule"],
      reaction["action"],
      reaction["message"],
    ]
      .filter(Boolean)
      .join(" ");
  const verdict = asObject(event["told"]);
  if (typeof verdict["verdict"] === "string")
    return [verdict["verdict"], verdict["toolName"], verdict["reason"]].filter(Boolean).join(" ");
  if (event["injection"] !== undefined) return injectionDetail(asObject(event["injection"]));
  if (event["card"] !== undefined) return controlDetail(asObject(event["card"]));
  if (event["envelope"] !== undefined) return controlDetail(asObject(event["envelope"]));
  if (event["blocks"] !== undefined) return messageDetail(Object.values(asObject(event["blocks"])));
  const { prompt } = event;
  if (event["machine"] === true && typeof prompt === "string") return machinePromptText(prompt);
  const fields = [
    "prompt",
    "skillName",
    "lastAssistantMessage",
    "toolName",
    "message",
    "source",
    "reason",
    "name",
    "error",
  ];
  const found = fields
    .map((field) => event[field])
    .find((value) => typeof value === "string" && value !== "");
  if (typeof found === "string") return found;
  return event["forgotten"] === true ? "(forgotten)" : event["private"] === true ? "(private)" : "";
}

/** A request or command from here: tool and subject, how and by whom it was settled, or the text sent. */
function controlDetail(record: Readonly<Record<string, unknown>>): string {
  const tool = record["toolName"] ?? record["tool"];
  const about =
    typeof tool === "string"
      ? `${tool} ${textOfCall({ toolName: tool, toolInput: record["input"] })}`.trimEnd()
      : null;
  const { outcome, by } = record;
  const isSettled = typeof outcome === "string" && typeof by === "string";
  const settled = isSettled ? settledText({ ...record, outcome, by }) : null;
  const texts = ["text", "state", "reason", "message", "why"].map((field) => record[field]);
  const what = [about, settled].filter((part) => part !== null).join(" ");
  const text = texts.find((value) => typeof value === "string" && value !== "");
  return text === undefined || what === "" ? `${what}${text ?? ""}` : `${what}: ${text}`;
}

/** `startup: 12 items, 840 tokens`; the event has no text of its own. */
function injectionDetail({ kind, items, tokens }: Readonly<Record<string, unknown>>): string {
  const count = Array.isArray(items) ? items.length : 0;
  return `${kind}: ${plural(count, "item")}, ${plural(Number(tokens ?? 0), "token")}`;
}

/** The text of an answer, or the tools it calls. */
function messageDetail(blocks: readonly unknown[]): string {
  const objects = blocks.map(asObject);
  const textBlock = objects.find(
    ({ type, text }) => type === "text" && typeof text === "string" && text !== "",
  );
  return textBlock === undefined
    ? objects.flatMap(({ name }) => name ?? []).join(" ")
    : String(textBlock["text"]);
}

/** A request or its end: its tool, subject, purpose, and the subagent that asks. */
function requestDetail(event: HooklineEvent): string {
  const toolName = typeof event["toolName"] === "string" ? event["toolName"] : null;
  const description = (event["toolInput"] as { readonly description?: unknown } | undefined)?.description;
  const agentId = typeof event["agentId"] === "string" ? event["agentId"] : null;
  const agentType = typeof event["agentType"] === "string" ? event["agentType"] : null;
  return requestLine({
    kind: "permission",
    toolName,
    text:
      event["private"] === true
        ? event["forgotten"] === true
          ? "(forgotten)"
          : "(private)"
        : textOfCall({ toolName, toolKind: event["toolKind"], toolInput: event["toolInput"] }),
    description: typeof description === "string" ? description : null,
    agentId,
    agentType,
  });
}

function clean(text: string): string {
  const flat = plainText(text);
  return flat.length > MAX_LINE_CHARS ? `${flat.slice(0, MAX_LINE_CHARS - 1)}…` : flat;
}
