import { isAbsolute, normalize, relative, resolve } from "node:path";
import { asObject, type Json, text } from "../../agents/read-json.ts";
import {
  REFUSED_BY_PERSON,
  REFUSED_BY_RULE,
  saysRefused,
  wasInterrupted,
} from "../../agents/refused-call.ts";
import { formOfCall } from "../../agents/tool-call.ts";
import { pathsOfForm, type ToolForm } from "../../agents/tool-table.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { cleanText, clipLine, proseOf } from "./clean-text.ts";
import { type CommandOutcome, commandOutcome, ranLine } from "./command-outcome.ts";
import { shownOutput } from "./shown-output.ts";

export interface CallTelling {
  /** A `tool_observation` as the store has it; its input may be a preview. */
  readonly event: HooklineEvent;
  /** The agent's words in the same message before the call. */
  readonly before: string | null;
  /** Its words right after the result. */
  readonly after: string | null;
  /** What the user asked for in this turn. */
  readonly prompt: string | null;
  readonly projectPath: string | null;
}

/** A person's refusal with the words they gave, or a rule's, the mode's or a program's with its reason. */
export interface Refusal {
  readonly by: "person" | "rule" | "interruption";
  readonly said: string;
}

/** A call with everything read, cleaned and bounded: what the tellers of the single tools work on. */
export interface Call {
  /** As its agent calls the tool. */
  readonly tool: string;
  readonly form: ToolForm;
  readonly input: Json;
  readonly meta: Json;
  readonly output: string;
  /** What went wrong, in the words of the tool; empty when nothing did. */
  readonly error: string;
  readonly failed: boolean;
  /** Who did not let it run; null when it ran, or nobody told. */
  readonly refusal: Refusal | null;
  readonly exitCode: number | null;
  /** Of a shell line that ran: how it and its tests ended. Null for other calls, and for what was not let run. */
  readonly outcome: CommandOutcome | null;
  readonly durationMs: number | null;
  readonly patch: readonly unknown[];
  readonly before: string;
  readonly after: string;
  readonly prompt: string;
  readonly cwd: string | null;
  readonly project: string | null;
}

/** Reads a call whatever its payload is. Total: what is not there, or of another type, is empty. */
export function readCall(telling: CallTelling): Call {
  const payload = asObject(telling.event.payload);
  const meta = asObject(payload["metadata"]);
  const output = shownOutput(cleanText(payload["toolOutput"]));
  const exitCode =
    numberOf(meta["exitCode"]) ?? saidExitCode(payload["errorMessage"]) ?? saidExitCode(output);
  // An exit code that only stands in the output may be any program's: the tool's own word counts.
  const failed =
    payload["success"] === false || (payload["success"] !== true && exitCode !== null && exitCode !== 0);
  const name = cleanText(payload["toolName"], 200).trim();
  const input = payload["toolInput"];
  const error = failed ? errorOf(payload["errorMessage"], output) : "";
  const form = formOfCall({ toolName: name, toolKind: payload["toolKind"] });
  const refusal = failed ? refusalOf(telling.event, error, exitCode) : null;
  return {
    tool: name === "" ? "tool" : name,
    form,
    input: typeof input === "string" ? { command: input } : asObject(input),
    meta,
    output,
    error,
    failed,
    refusal,
    exitCode,
    outcome: refusal === null ? outcomeOf(form, payload, failed, error) : null,
    durationMs: numberOf(payload["durationMs"]),
    patch: Array.isArray(payload["structuredPatch"]) ? payload["structuredPatch"] : [],
    before: proseOf(telling.before, 4_000),
    after: proseOf(telling.after, 4_000),
    prompt: proseOf(telling.prompt, 4_000),
    cwd: folderOf(telling.event.cwd),
    project: folderOf(telling.projectPath) ?? folderOf(telling.event.projectPath),
  };
}

function outcomeOf(form: ToolForm, payload: Json, failed: boolean, error: string): CommandOutcome | null {
  if (form !== "shell" && form !== "powershell") return null;
  const ran = ranLine(payload);
  return commandOutcome({
    ...ran,
    status: failed ? "nonzero" : ran.status,
    output: ran.output === error ? ran.output : `${ran.output}\n${error}`,
  });
}

/** By what the transcript says of it; else by the words, unless an exit code shows that it ran. */
function refusalOf(event: HooklineEvent, error: string, exitCode: number | null): Refusal | null {
  if (wasInterrupted(event)) return { by: "interruption", said: "" };
  const { source, reasonCode } = asObject(event["permissionDecision"]);
  const isTold = saysRefused(event);
  if (!isTold && exitCode !== null) return null;
  const isByPerson = REFUSED_BY_PERSON.test(error);
  const isByRule = REFUSED_BY_RULE.test(error);
  if (!isTold && !isByPerson && !isByRule) return null;
  // Who answers the request of a permission through a hook is a person, as through Hookline.
  const isAnswered = reasonCode === "hook:PermissionRequest";
  const isRule = source === "config" || (event["denial"] === "permission-rule" && !isAnswered);
  if (isByRule || (isRule && !isByPerson)) return { by: "rule", said: clipLine(error, 200) };
  // Without one of the agent's own sentences the text is what the person wrote.
  const words = isByPerson ? (/the user said:\s*(\S[\s\S]{0,400})/.exec(error)?.[1] ?? "") : error;
  return { by: "person", said: clipLine(words, 200) };
}

/** What the model is shown explains a wrong input; the error itself is a list in JSON. */
function errorOf(message: unknown, output: string): string {
  const error = shownOutput(cleanText(message));
  return error === "" || (output !== "" && /^\w{1,60}: \[$/m.test(error.slice(0, 80))) ? output : error;
}

/** What the tool was told, cleaned; empty when it was not, or is no text. */
export function inputText(call: Call, key: string, limit = 4_000): string {
  return cleanText(call.input[key], limit);
}

export function inputNumber(call: Call, key: string): number | null {
  return numberOf(call.input[key]);
}

/** The file a tool was given, absolute where that is sure. */
export function fileOf(call: Call): string {
  const [named = text(call.meta, "filePath")] = pathsOfForm(call.form, call.input);
  return absolutePath(call, named) ?? "";
}

const MAX_PATH = 1_024;

export function absolutePath(call: Pick<Call, "cwd">, path: unknown): string | null {
  if (typeof path !== "string" || path === "" || path.length > MAX_PATH) return null;
  const clean = cleanText(path)
    .replace(/\s*\n\s*/g, " ")
    .trim();
  if (clean === "") return null;
  if (isAbsolute(clean)) return normalize(clean);
  return call.cwd === null || clean.startsWith("~") ? clean : resolve(call.cwd, clean);
}

/** As a person of this project would write it. */
export function shortPath(call: Pick<Call, "project" | "cwd">, path: string): string {
  for (const root of [call.project, call.cwd]) {
    if (root === null || root === "/") continue;
    if (path === root) return ".";
    if (path.startsWith(`${root}/`)) return relative(root, path);
  }
  return path;
}

function folderOf(value: unknown): string | null {
  if (typeof value !== "string" || !isAbsolute(value) || value.length > MAX_PATH) return null;
  const clean = normalize(cleanText(value));
  return clean.length > 1 && clean.endsWith("/") ? clean.slice(0, -1) : clean;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function saidExitCode(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const said = /^(?:Error: )?Exit code:? (\d{1,10})(?!\d)/.exec(value.slice(0, 40));
  return said === null ? null : Number(said[1]);
}
