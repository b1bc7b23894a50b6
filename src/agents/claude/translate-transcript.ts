import { resolve } from "node:path";
import { EVENT_VERSION, type EventStamp, type NewEvent } from "../../event/event.ts";
import { contentHash, factId } from "../../event/ids.ts";
import type { ProjectOf } from "../hook-delivery.ts";
import { asObject, boolean, type Json, list, nonEmpty, number, text } from "../read-json.ts";
import type { TranscriptFile, TranscriptTranslator } from "../transcript-source.ts";
import { apiErrorData, resetTime } from "./api-errors.ts";
import { isMachinePrompt, parseSlashCommand, promptFactId } from "./prompts.ts";
import { skillFromSlash } from "./skills.ts";
import { createTitleTracker } from "./titles.ts";
import { toolEndEvents, toolStartEvents } from "./tool-events.ts";
import { renderBlocks, renderToolOutput } from "./tool-output.ts";

/**
 * Translates the lines of one Claude Code transcript into the events that its hooks would have reported.
 * Lines with the CLI's own prompts (api-request…, attachments) are dropped. Lines that a fork copied from
 * another session's file belong to that session: only their model usage is reported, as inherited.
 */
export function openClaudeTranscript(file: TranscriptFile, projectOf: ProjectOf): TranscriptTranslator {
  const reader = new TranscriptReader(file, projectOf);
  return { translateLine: (line) => reader.line(asObject(line)) };
}

interface OpenCall {
  readonly name: string;
  readonly input: unknown;
  readonly batchKey: string;
  readonly batchIndex: number;
}

class TranscriptReader {
  readonly #file: TranscriptFile;
  readonly #projectOf: ProjectOf;
  readonly #calls = new Map<string, OpenCall>();
  /** The calls of each message, in order. */
  readonly #messages = new Map<string, string[]>();
  readonly #blocks = new Map<string, number>();
  /** Maps a queued text to the prompt id it was queued under. */
  readonly #queued = new Map<string, string>();
  #promptId: string | undefined;
  #slash: NewEvent | undefined;
  readonly #titles = createTitleTracker();
  #firstTime: string | undefined;
  #lastStamp: EventStamp | undefined;

  constructor(file: TranscriptFile, projectOf: ProjectOf) {
    this.#file = file;
    this.#projectOf = projectOf;
  }

  line(line: Json): NewEvent[] {
    const time = nonEmpty(line, "timestamp");
    if (time !== undefined) this.#firstTime ??= time;
    if (this.#isCopied(line, time)) return this.#inherited(line);
    this.#titles.addLine(line);
    return [...this.#translate(line), ...this.#titles.flush(this.#lastStamp)];
  }

  #translate(line: Json): NewEvent[] {
    switch (text(line, "type")) {
      case "user":
        return this.#user(line);
      case "assistant":
        return this.#assistant(line);
      case "attachment":
        return this.#queuedPrompt(line);
      case "queue-operation":
        this.#noteQueued(line);
        return [];
      case "system":
        return this.#system(line);
      case "cost-state":
        return [...this.#endSlashCommand(), ...this.#costState(line)];
      default:
        return [];
    }
  }

  /** A fork marks its copies, or they are older than the file's own first line. */
  #isCopied(line: Json, time: string | undefined): boolean {
    return line["forkedFrom"] !== undefined || (time !== undefined && time < this.#firstTime!);
  }

  /**
   * A fork by `--fork-session` continues from its parent's costs; one by `/branch`, which marks its copies,
   * starts at zero.
   */
  #inherited(line: Json): NewEvent[] {
    const message = asObject(line["message"]);
    const [messageId, model] = [nonEmpty(message, "id"), nonEmpty(message, "model")];
    const { usage } = message;
    if (text(line, "type") !== "assistant" || line["forkedFrom"] !== undefined) return [];
    if (messageId === undefined || model === undefined || model === SYNTHETIC_MODEL || usage == null)
      return [];
    const stamp = this.#stampOf(line);
    if (stamp === undefined) return [];
    const id = factId("inherited", stamp.sessionId, messageId);
    // No prompt of this session caused it.
    const base = { ...stamp, promptId: undefined, id };
    return [
      { ...base, eventType: "agent.event", name: "inherited-message", data: { messageId, model, usage } },
    ];
  }

  #stamp(line: Json): EventStamp | undefined {
    const stamp = this.#stampOf(line);
    if (stamp !== undefined) this.#lastStamp = stamp;
    return stamp;
  }

  #stampOf(line: Json): EventStamp | undefined {
    const sessionId = nonEmpty(line, "sessionId");
    const occurredAtIso = isoTime(nonEmpty(line, "timestamp"));
    if (sessionId === undefined || occurredAtIso === undefined) return undefined;
    const cwd = nonEmpty(line, "cwd") ?? null;
    return {
      v: EVENT_VERSION,
      occurredAtIso,
      sessionId,
      provider: "claude",
      projectPath: this.#projectOf(cwd),
      cwd,
      agentId: nonEmpty(line, "agentId") ?? this.#file.agentId,
      promptId: this.#promptId,
      transcriptPath: this.#file.agentId === undefined ? this.#file.path : undefined,
      origin: "transcript",
      gitBranch: nonEmpty(line, "gitBranch"),
    };
  }

  #user(line: Json): NewEvent[] {
    const isFirst = this.#lastStamp === undefined;
    this.#promptId = nonEmpty(line, "promptId") ?? this.#promptId;
    const stamp = this.#stamp(line);
    if (stamp === undefined) return [];
    const content = asObject(line["message"])["content"];
    const results = (Array.isArray(content) ? content : [])
      .map(asObject)
      .filter((block) => block["type"] === "tool_result");
    if (results.length > 0) return results.flatMap((result) => this.#toolResult(stamp, line, result));
    if (line["isSidechain"] === true) return isFirst ? this.#subagent(stamp) : [];
    return this.#prompt(stamp, line, content);
  }

  #prompt(stamp: EventStamp, line: Json, content: unknown): NewEvent[] {
    const raw = typeof content === "string" ? content : Array.isArray(content) ? textOf(content) : "";
    if (raw.startsWith(INTERRUPTED_PREFIX) && line["turnOrigin"] === undefined)
      return interrupted(stamp, line);
    if (line["isMeta"] === true || line["isCompactSummary"] === true || !startsTurn(line, raw)) return [];
    const slash = parseSlashCommand(raw);
    const prompt = slash?.prompt ?? raw;
    const ended = this.#endSlashCommand();
    const start = this.#turnStart(stamp, prompt, text(line, "promptSource"));
    if (slash === undefined || stamp.promptId === undefined) return [...ended, start];
    this.#slash = {
      ...stamp,
      id: factId("slash", stamp.promptId, "in_progress"),
      eventType: "skill.lifecycle",
      phase: "in_progress",
      ...skillFromSlash(slash.name, slash.args),
      turnSeq: null,
    };
    return [...ended, start, this.#slash];
  }

  #turnStart(stamp: EventStamp, prompt: string, promptSource: string | undefined): NewEvent {
    // Announced when it was typed, under the turn that was running then.
    const announced = promptSource === "queued" ? this.#queued.get(prompt) : undefined;
    const promptId = announced ?? stamp.promptId;
    return {
      ...stamp,
      id:
        promptId === undefined
          ? factId("line", stamp.sessionId, stamp.occurredAtIso, prompt)
          : promptFactId(promptId, prompt),
      eventType: "turn.start",
      prompt,
      machine: isMachinePrompt(prompt) || undefined,
      promptSource,
    };
  }

  #noteQueued(line: Json): void {
    const content = text(line, "content");
    if (text(line, "operation") === "enqueue" && content !== undefined && this.#promptId !== undefined) {
      this.#queued.set(content, this.#promptId);
    }
  }

  /** A prompt that was typed during a turn and picked up by it. */
  #queuedPrompt(line: Json): NewEvent[] {
    const attachment = asObject(line["attachment"]);
    if (text(attachment, "type") !== "queued_command") return [];
    const prompt = attachment["prompt"];
    const stamp = this.#stamp(line);
    const queuedText =
      typeof prompt === "string" ? prompt : Array.isArray(prompt) ? textOf(prompt) : undefined;
    return stamp === undefined || queuedText === undefined
      ? []
      : [this.#turnStart(stamp, queuedText, undefined)];
  }

  #assistant(line: Json): NewEvent[] {
    const stamp = this.#stamp(line);
    const message = asObject(line["message"]);
    const messageId = nonEmpty(message, "id");
    if (stamp === undefined || messageId === undefined) return [];
    const blocks: Record<string, Json> = {};
    const events: NewEvent[] = [];
    for (const block of list(message, "content").map(asObject)) {
      const index = number(line, "apiBlockIndex") ?? this.#blocks.get(messageId) ?? 0;
      this.#blocks.set(messageId, Math.max(index + 1, this.#blocks.get(messageId) ?? 0));
      blocks[String(index)] = summarizeBlock(block);
      events.push(...this.#toolUse(stamp, messageId, block));
    }
    const messageEvent: NewEvent = {
      ...stamp,
      id: factId("message", messageId),
      eventType: "assistant.message",
      messageId,
      model: text(message, "model"),
      // Only if it says more than the response: `[1m]`, or an alias.
      requestedModel: ifDifferent(text(line, "requestedModel"), text(message, "model")),
      stopReason: text(message, "stop_reason"),
      usage: message["usage"],
      error: text(line, "error"),
      errorStatus: number(line, "apiErrorStatus"),
      resetsAtIso: resetTime(line["quotaLimits"]),
      blocks,
    };
    return [messageEvent, ...events];
  }

  #toolUse(stamp: EventStamp, messageId: string, block: Json): NewEvent[] {
    const toolUseId = nonEmpty(block, "id");
    const name = nonEmpty(block, "name");
    if (text(block, "type") !== "tool_use" || toolUseId === undefined || name === undefined) return [];
    const siblings = this.#messages.get(messageId) ?? [];
    this.#messages.set(messageId, siblings);
    if (!siblings.includes(toolUseId)) siblings.push(toolUseId);
    const batchIndex = siblings.indexOf(toolUseId);
    const input = withAbsolutePath(block["input"], stamp.cwd, this.#file.path);
    const call = { name, input, batchKey: siblings[0]!, batchIndex };
    this.#calls.set(toolUseId, call);
    return toolStartEvents({ base: stamp, toolUseId, ...call });
  }

  #toolResult(stamp: EventStamp, line: Json, result: Json): NewEvent[] {
    const toolUseId = nonEmpty(result, "tool_use_id");
    const call = toolUseId === undefined ? undefined : this.#calls.get(toolUseId);
    if (toolUseId === undefined || call === undefined) return [];
    const success = boolean(result, "is_error") !== true;
    const response = success ? line["toolUseResult"] : undefined;
    const shown = renderToolOutput("", result["content"]);
    const rawResult = line["toolUseResult"];
    const error = success
      ? undefined
      : typeof rawResult === "string"
        ? rawResult.replace(/^Error: /, "")
        : shown;
    const extraFields = {
      permissionDecision: line["permissionDecision"],
      denial: text(line, "toolDenialKind"),
    };
    // A call ends once, and a session may make thousands of calls.
    this.#calls.delete(toolUseId);
    return toolEndEvents({
      base: stamp,
      toolUseId,
      ...call,
      response,
      shownText: shown,
      error,
      success,
      extraFields: extraFields,
    });
  }

  #subagent(stamp: EventStamp): NewEvent[] {
    const { agentId } = stamp;
    if (agentId === undefined) return [];
    const meta = asObject(this.#file.meta);
    return [
      {
        ...stamp,
        id: factId("subagent", agentId, "started"),
        eventType: "subagent.lifecycle",
        phase: "started",
        agentType: text(meta, "agentType"),
        description: text(meta, "description"),
        parentToolUseId: text(meta, "toolUseId"),
      },
    ];
  }

  #system(line: Json): NewEvent[] {
    const stamp = this.#stamp(line);
    const uuid = nonEmpty(line, "uuid");
    const subtype = text(line, "subtype") ?? "";
    if (stamp === undefined || uuid === undefined) return [];
    const ended =
      subtype === "turn_duration" || subtype === "stop_hook_summary" ? this.#endSlashCommand() : [];
    const base = { ...stamp, id: factId("line", uuid) };
    if (subtype === "compact_boundary") {
      const meta = asObject(line["compactMetadata"]);
      const sizes = {
        trigger: text(meta, "trigger"),
        preTokens: number(meta, "preTokens"),
        postTokens: number(meta, "postTokens"),
      };
      return [...ended, { ...base, eventType: "compaction", phase: "boundary", ...sizes }];
    }
    if (subtype === "turn_duration") {
      const data = { durationMs: number(line, "durationMs") };
      return [...ended, { ...base, eventType: "agent.event", name: "turn-duration", data }];
    }
    if (subtype === "api_error") {
      const data = {
        retryAttempt: line["retryAttempt"],
        maxRetries: line["maxRetries"],
        retryInMs: line["retryInMs"],
        ...apiErrorData(asObject(line["error"])),
      };
      return [...ended, { ...base, eventType: "agent.event", name: "api-error", data }];
    }
    return ended;
  }

  /** Written without a timestamp when the process ends, so it takes that of the last line before it. */
  #costState(line: Json): NewEvent[] {
    if (this.#lastStamp === undefined) return [];
    const { type: _type, sessionId: _sessionId, ...data } = line;
    const id = factId("cost-state", this.#lastStamp.sessionId, contentHash(JSON.stringify(data)));
    return [{ ...this.#lastStamp, id, eventType: "agent.event", phase: "exited", name: "cost-state", data }];
  }

  #endSlashCommand(): NewEvent[] {
    const slashStart = this.#slash;
    if (slashStart === undefined || this.#lastStamp === undefined) return [];
    this.#slash = undefined;
    const { occurredAtIso } = this.#lastStamp;
    return [
      {
        ...slashStart,
        id: factId("slash", slashStart.promptId!, "completed"),
        phase: "completed",
        occurredAtIso,
      },
    ];
  }
}

const SYNTHETIC_MODEL = "<synthetic>";
const INTERRUPTED_PREFIX = "[Request interrupted by user";

/** What Esc leaves in the conversation: no hook reports it. */
function interrupted(stamp: EventStamp, line: Json): NewEvent[] {
  const uuid = nonEmpty(line, "uuid");
  if (uuid === undefined) return [];
  const data = { messageId: text(line, "interruptedMessageId") };
  return [{ ...stamp, id: factId("line", uuid), eventType: "agent.event", name: "interrupted", data }];
}

function ifDifferent(value: string | undefined, other: string | undefined): string | undefined {
  return value === other ? undefined : value;
}

/** Newer versions mark the line that starts a turn; in older ones only the text shows who wrote it. */
function startsTurn(line: Json, content: string): boolean {
  if (/^\s*<bash-(input|stdout|stderr)>/.test(content)) return false;
  if (line["turnOrigin"] !== undefined) return true;
  if (line["turnPosition"] !== undefined || content === "") return false;
  return !/^\s*(<command-name>|<local-command-|\[Request interrupted by user)/.test(content);
}

function textOf(blocks: readonly unknown[]): string {
  return renderBlocks(blocks.filter((block) => text(asObject(block), "type") === "text"));
}

/** The useful part of a block: an answer's text; thoughts and calls only by name. */
function summarizeBlock(block: Json): Json {
  const type = text(block, "type");
  if (type === "text") return { type, text: text(block, "text") };
  if (type === "tool_use") return { type, toolUseId: text(block, "id"), name: text(block, "name") };
  return { type };
}

/** The input as hooks report it: with an absolute path where the model gave a relative one. */
function withAbsolutePath(input: unknown, cwd: string | null, transcript: string): unknown {
  const object = asObject(input);
  const key = ["file_path", "notebook_path"].find((name) => typeof object[name] === "string");
  if (key === undefined) return input;
  const path = object[key] as string;
  const home = /^(.*)\/\.claude\//.exec(transcript)?.[1];
  if (path.startsWith("~/") && home !== undefined) return { ...object, [key]: resolve(home, path.slice(2)) };
  return cwd === null ? input : { ...object, [key]: resolve(cwd, path) };
}

function isoTime(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
