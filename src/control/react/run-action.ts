import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { HooklineEvent } from "../../event/event.ts";
import type { Builtin, ReactionRule } from "../../policy/reaction-rules.ts";
import { showNotification, speak } from "./desktop-notification.ts";
import { fillTemplate, machineEnv } from "./fill-template.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";
import { runCommand } from "./run-command.ts";
import { failureText } from "./run-program.ts";
import { sendWebhook } from "./send-webhook.ts";
import { type MetricsOptions, writeSessionMetrics } from "./session-metrics.ts";

/** `env` is the daemon's; what programs get of it is selected here. */
export type ActionOptions = MetricsOptions;

/** Runs a fire-and-forget action. Returns null on success, else why it failed. */
export async function runAction(
  rule: ReactionRule,
  { trigger, event }: { readonly trigger: ReactionTrigger; readonly event: HooklineEvent },
  options: ActionOptions,
  signal: AbortSignal,
): Promise<string | null> {
  const { do: action } = rule;
  const timeoutMs = rule.timeoutSeconds * 1_000;
  switch (action.type) {
    case "command":
      return failureText(
        await runCommand(action, trigger, { env: options.env, timeoutMs, signal }),
        "the command",
      );
    case "notify": {
      const notice = {
        title: fillTemplate(action.title, trigger),
        body: fillTemplate(action.text, trigger),
      };
      return showNotification(notice, machineEnv(options.env), signal);
    }
    case "speak":
      return speak(fillTemplate(action.text, trigger), machineEnv(options.env), signal);
    case "webhook": {
      const header = action.secretHeader === undefined ? null : toHeader(action.secretHeader, options.env);
      if (typeof header === "string") return header;
      return sendWebhook(event, { url: action.url, headers: header ?? {}, timeoutMs, signal });
    }
    case "builtin":
      return BUILTINS[action.name](trigger, action.options, options);
    case "context":
    case "block":
    case "env":
    case "deny":
      return "only a hook that asks can be answered so";
    default:
      return action satisfies never;
  }
}

const BUILTINS = { session_metrics: writeSessionMetrics } as const satisfies Record<Builtin, unknown>;

/** `Name: Bearer $file:~/.secrets/hook`; an error message if that file is missing or not a single line. */
function toHeader(
  line: string,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> | string {
  const [, name = "", value = "", file] = /^([^:]+): *(.*?)(?:\$file:(.+))?$/.exec(line) ?? [];
  if (file === undefined) return { [name]: value };
  const secret = readSecret(file.trim().replace(/^~(?=\/)/, env["HOME"] ?? "~"));
  if (secret === null) return `${file}, for the webhook's header, is no file with one line of text`;
  return { [name]: value + secret };
}

const MAX_SECRET_BYTES = 10_000;

function readSecret(file: string): string | null {
  try {
    const stats = isAbsolute(file) ? statSync(file) : null;
    if (stats === null || !stats.isFile() || stats.size > MAX_SECRET_BYTES) return null;
    const text = readFileSync(file, "utf8").trim();
    return /^[\x20-\x7e]+$/.test(text) ? text : null;
  } catch {
    return null;
  }
}
