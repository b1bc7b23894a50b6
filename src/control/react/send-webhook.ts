import { setTimeout as sleep } from "node:timers/promises";
import type { HooklineEvent } from "../../event/event.ts";

/** An event as CloudEvents 1.0 in structured JSON. Receivers recognize a duplicate by its `id`. */
function toCloudEvent(event: HooklineEvent): Readonly<Record<string, unknown>> {
  return {
    specversion: "1.0",
    id: event.id,
    source: "hookline",
    type: `hookline.${event.eventType}`,
    subject: event.sessionId,
    time: event.occurredAtIso,
    datacontenttype: "application/json",
    data: event,
  };
}

export interface WebhookOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Delays before the second and third attempts. */
  readonly retryDelaysMs?: readonly number[];
}

const RETRY_DELAYS_MS = [500, 2_000];
/** Client errors worth a retry; any other refusal would only repeat. */
const RETRYABLE_STATUSES = new Set([408, 425, 429]);

/** Null if accepted, else why not: after three attempts where a retry may help. */
export async function sendWebhook(event: HooklineEvent, options: WebhookOptions): Promise<string | null> {
  const url = URL.canParse(options.url) ? new URL(options.url) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    return "the webhook's address is no http or https URL";
  const delaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  for (let tries = 1; ; tries++) {
    const failed = await post(url, event, options);
    if (failed === null) return null;
    const delayMs = delaysMs[tries - 1];
    // A URL may contain a secret: only the host is reported.
    if (!failed.retryable || delayMs === undefined)
      return `${url.host}: ${failed.why}${tries > 1 ? `, tried ${tries} times` : ""}`;
    try {
      await sleep(delayMs, undefined, { signal: options.signal });
    } catch {
      return `${url.host}: stopped`;
    }
  }
}

async function post(
  url: URL,
  event: HooklineEvent,
  { headers, timeoutMs, signal }: WebhookOptions,
): Promise<{ why: string; retryable: boolean } | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/cloudevents+json; charset=utf-8" },
      body: JSON.stringify(toCloudEvent(event)),
      // Don't send to a host that the user did not choose.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    if (response.ok) return null;
    return {
      why: `answered ${response.status}`,
      retryable: response.status >= 500 || RETRYABLE_STATUSES.has(response.status),
    };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    const code = (error as { cause?: { code?: unknown } }).cause?.code;
    const why = typeof code === "string" ? `not reached (${code})` : "not reached";
    return { why: isTimeout ? "did not answer in time" : why, retryable: !signal.aborted };
  }
}
