import { EVENT_VERSION, type EventStamp, type NewEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { deliveryId } from "../../event/ids.ts";
import { type HookDelivery, type ProjectOf, UNKNOWN_AGENT } from "../hook-delivery.ts";
import { asObject, type Json, unknownFields } from "../read-json.ts";

/**
 * Translates a payload of an agent that found our hooks in Claude Code's settings. Each keeps the session
 * that it names. Session start, end and prompts are read in any spelling; everything else is stored whole,
 * because its meaning can only be guessed. Neither its process nor its transcript is followed: both would be
 * read as Claude Code's.
 */
export function translateUnknown(delivery: HookDelivery, projectOf: ProjectOf): NewEvent[] {
  const payload = asObject(delivery.payload);
  const sessionId = first(payload, SESSION_KEYS) ?? UNKNOWN_SESSION;
  const name = first(payload, EVENT_KEYS) ?? "unknown";
  const cwd = first(payload, FOLDER_KEYS) ?? null;
  const stamp: EventStamp = {
    v: EVENT_VERSION,
    occurredAtIso: delivery.occurredAtIso,
    sessionId,
    provider: UNKNOWN_AGENT,
    projectPath: projectOf(cwd),
    cwd,
    origin: "hook",
  };
  const { eventType, fields } = interpret(name, payload);
  const id = deliveryId({ ...delivery, sessionId, eventName: name }, eventType);
  const remainder =
    eventType === "agent.event"
      ? { name, data: delivery.payload }
      : { extra: unknownFields(payload, isKnownKey) };
  return [{ ...stamp, id, eventType, ...fields, ...remainder }];
}

/** Only a key's letters count: `session_id`, `sessionId` and `session-id` are the same. */
const SESSION_KEYS = ["sessionid", "conversationid", "threadid", "taskid"];
const EVENT_KEYS = ["hookeventname", "hookname", "event", "type"];
const FOLDER_KEYS = ["cwd", "workingdir", "workingdirectory", "workspaceroot", "workspaceroots"];
const PROMPT_KEYS = ["prompt", "userprompt"];
const REPLY_KEYS = ["lastassistantmessage", "response"];

function interpret(name: string, payload: Json): { eventType: string; fields: Json } {
  const prompt = first(payload, PROMPT_KEYS);
  switch (lettersOf(name)) {
    case "sessionstart":
      return {
        eventType: "session.lifecycle",
        fields: { phase: "started", source: first(payload, ["source"]) },
      };
    case "sessionend":
      return {
        eventType: "session.lifecycle",
        fields: { phase: "ended", reason: first(payload, ["reason"]) },
      };
    case "userpromptsubmit":
    case "userpromptsubmitted":
      if (prompt !== undefined) return { eventType: "turn.start", fields: { prompt } };
      break;
    case "stop":
    case "agentstop":
      return { eventType: "turn.end", fields: { lastAssistantMessage: first(payload, REPLY_KEYS) } };
  }
  return { eventType: "agent.event", fields: {} };
}

/** Some agents number their sessions, some list their folders. */
function first(payload: Json, keys: readonly string[]): string | undefined {
  for (const wantedKey of keys)
    for (const [key, value] of Object.entries(payload)) {
      if (lettersOf(key) !== wantedKey) continue;
      const candidate: unknown = Array.isArray(value) ? value[0] : value;
      if (typeof candidate === "string" && candidate !== "") return candidate;
      if (typeof candidate === "number" && Number.isFinite(candidate)) return String(candidate);
    }
  return undefined;
}

/** Whether the key is already in one of the event's own fields. */
function isKnownKey(key: string): boolean {
  return [...SESSION_KEYS, ...EVENT_KEYS, ...FOLDER_KEYS, ...PROMPT_KEYS, ...REPLY_KEYS].includes(
    lettersOf(key),
  );
}

function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/g, "");
}
