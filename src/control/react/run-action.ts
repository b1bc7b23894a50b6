import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { HooklineEvent } from "../../event/event.ts";
import type { Builtin, ReactionRule } from "../../policy/reaction-rules.ts";
import { fillText, machineEnv } from "./fill-text.ts";
import type { Occasion } from "./occasion.ts";
import { runCommand } from "./run-command.ts";
import { failureOf } from "./run-program.ts";
import { sendWebhook } from "./send-webhook.ts";
import { type MetricsDoor, writeSessionMetrics } from "./session-metrics.ts";
import { showNotice, speak } from "./show-notice.ts";

/** `env` is the daemon's; what programs get of it is chosen here. */
export type ActionDoor = MetricsDoor;

/** Does what nobody waits for. Null when it was done, else why not, in words. */
export async function runAction(
  rule: ReactionRule,
  { occasion, event }: { readonly occasion: Occasion; readonly event: HooklineEvent },
  door: ActionDoor,
  signal: AbortSignal,
): Promise<string | null> {
  const { do: action } = rule;
  const timeoutMs = rule.timeoutSeconds * 1_000;
  switch (action.type) {
    case "command":
      return failureOf(
        await runCommand(action, occasion, { env: door.env, timeoutMs, signal }),
        "the command",
      );
    case "notify": {
      const notice = { title: fillText(action.title, occasion), body: fillText(action.text, occasion) };
      return showNotice(notice, machineEnv(door.env), signal);
    }
    case "speak":
      return speak(fillText(action.text, occasion), machineEnv(door.env), signal);
    case "webhook": {
      const header = action.secretHeader === undefined ? null : toHeader(action.secretHeader, door.env);
      if (typeof header === "string") return header;
      return sendWebhook(event, { url: action.url, headers: header ?? {}, timeoutMs, signal });
    }
    case "builtin":
      return RUN[action.name](occasion, action.options, door);
    case "context":
    case "block":
    case "env":
    case "deny":
      return "only a hook that asks can be answered so";
    default:
      return action satisfies never;
  }
}

const RUN = { session_metrics: writeSessionMetrics } as const satisfies Record<Builtin, unknown>;

/** `Name: Bearer $file:~/.secrets/hook`; a sentence when there is no such file, or none of one line. */
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

const MOST_SECRET = 10_000;

function readSecret(file: string): string | null {
  try {
    const found = isAbsolute(file) ? statSync(file) : null;
    if (found === null || !found.isFile() || found.size > MOST_SECRET) return null;
    const text = readFileSync(file, "utf8").trim();
    return /^[\x20-\x7e]+$/.test(text) ? text : null;
  } catch {
    return null;
  }
}
