import { isAbsolute, normalize, relative, resolve } from "node:path";
import {
  DENIED_BY_RULE,
  DENIED_BY_USER,
  HOOK_ERROR,
  isDenialRecorded,
  wasInterrupted,
} from "../../agents/denied-call.ts";
import { asObject, type Json, text } from "../../agents/read-json.ts";
import { formOfCall } from "../../agents/tool-call.ts";
import { pathsOfForm, type ToolForm } from "../../agents/tool-table.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { cleanText, clipLine, proseOf } from "./clean-text.ts";
import { type CommandOutcome, commandOutcome, toShellRun } from "./command-outcome.ts";
import { unwrapOutput } from "./unwrap-output.ts";

export interface CallContext {
  /** A `tool_observation` as stored; its input may be a preview. */
  readonly event: HooklineEvent;
  /** The agent's text before the call in the same message. */
  readonly before: string | null;
  /** Its text right after the result. */
  readonly after: string | null;
  /** The user's request in this turn. */
  readonly prompt: string | null;
  readonly projectPath: string | null;
}

/** A user's refusal with the reason they gave, or that of a rule, a mode or a program. */
export interface Refusal {
  readonly by: "person" | "rule" | "interruption";
  readonly reason: string;
}

/** A call parsed, cleaned and bounded, as input for the tool-specific describers. */
export interface Call {
  /** The agent's name for the tool. */
  readonly tool: string;
  readonly form: ToolForm;
  readonly input: Json;
  readonly meta: Json;
  readonly output: string;
  /** What went wrong, as the tool reports it; empty when nothing did. */
  readonly error: string;
  readonly failed: boolean;
  /** Who refused to let it run; null when it ran or is unknown. */
  readonly refusal: Refusal | null;
  readonly exitCode: number | null;
  /** How a shell line that ran and its tests ended. Null for other and refused calls. */
  readonly outcome: CommandOutcome | null;
  readonly durationMs: number | null;
  readonly patch: readonly unknown[];
  readonly before: string;
  readonly after: string;
  readonly prompt: string;
  readonly cwd: string | null;
  readonly project: string | null;
}

/** Parses a call from any payload. Total: missing or mistyped fields are empty. */
export function readCall(context: CallContext): Call {
  const payload = asObject(context.event.payload);
  const meta = asObject(payload["metadata"]);
  const output = unwrapOutput(cleanText(payload["toolOutput"]));
  const exitCode =
    numberOf(meta["exitCode"]) ?? parseExitCode(payload["errorMessage"]) ?? parseExitCode(output);
  // An exit code that only appears in the output may be any program's, so the tool's own status wins.
  const failed =
    payload["success"] === false || (payload["success"] !== true && exitCode !== null && exitCode !== 0);
  const name = cleanText(payload["toolName"], 200).trim();
  const input = payload["toolInput"];
  const error = failed ? errorOf(payload["errorMessage"], output) : "";
  const form = formOfCall({ toolName: name, toolKind: payload["toolKind"] });
  const refusal = failed ? refusalOf(context.event, error, exitCode) : null;
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
    before: proseOf(context.before, 4_000),
    after: proseOf(context.after, 4_000),
    prompt: proseOf(context.prompt, 4_000),
    cwd: folderOf(context.event.cwd),
    project: folderOf(context.projectPath) ?? folderOf(context.event.projectPath),
  };
}

function outcomeOf(form: ToolForm, payload: Json, failed: boolean, error: string): CommandOutcome | null {
  if (form !== "shell" && form !== "powershell") return null;
  const run = toShellRun(payload);
  return commandOutcome({
    ...run,
    status: failed ? "nonzero" : run.status,
    output: run.output === error ? run.output : `${run.output}\n${error}`,
  });
}

/** By the transcript's record; else by the error text, unless an exit code shows that it ran. */
function refusalOf(event: HooklineEvent, error: string, exitCode: number | null): Refusal | null {
  if (wasInterrupted(event)) return { by: "interruption", reason: "" };
  const { source, reasonCode } = asObject(event["permissionDecision"]);
  const isRecorded = isDenialRecorded(event);
  if (!isRecorded && exitCode !== null) return null;
  const isUserPhrase = DENIED_BY_USER.test(error);
  const isRulePhrase = DENIED_BY_RULE.test(error);
  if (!isRecorded && !isUserPhrase && !isRulePhrase) return null;
  // A permission request answered through a hook is answered by a person, as in Hookline.
  const isAnsweredByPerson = reasonCode === "hook:PermissionRequest";
  const isRule = source === "config" || (event["denial"] === "permission-rule" && !isAnsweredByPerson);
  if (isRulePhrase || (isRule && !isUserPhrase))
    return { by: "rule", reason: clipLine(error.replace(HOOK_ERROR, ""), 200) };
  // If it contains none of the agent's own phrases, the text is what the user wrote.
  const reason = isUserPhrase ? (/the user said:\s*(\S[\s\S]{0,400})/.exec(error)?.[1] ?? "") : error;
  return { by: "person", reason: clipLine(reason, 200) };
}

/** The text shown to the model explains an invalid input; the error itself is a JSON list. */
function errorOf(message: unknown, output: string): string {
  const error = unwrapOutput(cleanText(message));
  return error === "" || (output !== "" && /^\w{1,60}: \[$/m.test(error.slice(0, 80))) ? output : error;
}

/** A text of the tool's input, cleaned; empty when missing or not a string. */
export function inputText(call: Call, key: string, limit = 4_000): string {
  return cleanText(call.input[key], limit);
}

export function inputNumber(call: Call, key: string): number | null {
  return numberOf(call.input[key]);
}

/** The file in the tool's input, absolute where that is certain. */
export function fileOf(call: Call): string {
  const [filePath = text(call.meta, "filePath")] = pathsOfForm(call.form, call.input);
  return absolutePath(call, filePath) ?? "";
}

const MAX_PATH_CHARS = 1_024;

export function absolutePath(call: Pick<Call, "cwd">, path: unknown): string | null {
  if (typeof path !== "string" || path === "" || path.length > MAX_PATH_CHARS) return null;
  const clean = cleanText(path)
    .replace(/\s*\n\s*/g, " ")
    .trim();
  if (clean === "") return null;
  if (isAbsolute(clean)) return normalize(clean);
  return call.cwd === null || clean.startsWith("~") ? clean : resolve(call.cwd, clean);
}

/** The path as a developer of this project would write it. */
export function shortPath(call: Pick<Call, "project" | "cwd">, path: string): string {
  for (const root of [call.project, call.cwd]) {
    if (root === null || root === "/") continue;
    if (path === root) return ".";
    if (path.startsWith(`${root}/`)) return relative(root, path);
  }
  return path;
}

function folderOf(value: unknown): string | null {
  if (typeof value !== "string" || !isAbsolute(value) || value.length > MAX_PATH_CHARS) return null;
  const clean = normalize(cleanText(value));
  return clean.length > 1 && clean.endsWith("/") ? clean.slice(0, -1) : clean;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function parseExitCode(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const match = /^(?:Error: )?Exit code:? (\d{1,10})(?!\d)/.exec(value.slice(0, 40));
  return match === null ? null : Number(match[1]);
}
