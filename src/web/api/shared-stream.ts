/** Receives the stream's events, plus `open` when it connects and `lost` when it disconnects. */
export type StreamListener = (type: string, data: string) => void;

export interface SharedStream {
  /** Connects directly; for a tab that has received nothing for too long. */
  reconnect(): void;
  close(): void;
}

const CHANNEL_NAME = "hookline-stream";
/** How often a focused tab checks that the leading tab is still working. */
const PING_MS = 2_000;
const LEADER_TIMEOUT_MS = 4_500;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 8_000;

/**
 * A browser has six connections to a daemon for all its tabs, and a stream holds one of them. So one tab
 * follows the stream and forwards it to the others; when it is closed, the next one takes over. `snapshot` is
 * the first message for a tab that joins later.
 */
export function openSharedStream(
  url: string,
  eventTypes: readonly string[],
  {
    onEvent,
    snapshot,
  }: { readonly onEvent: StreamListener; readonly snapshot: () => { type: string; data: string } | null },
): SharedStream {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  const closing = new AbortController();
  let source: EventSource | null = null;
  let isLeader = false;
  let retryMs = MIN_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const broadcast: StreamListener = (type, data) => {
    if (type !== "lost") retryMs = MIN_RETRY_MS;
    onEvent(type, data);
    if (isLeader) channel.postMessage({ type, data });
  };
  const open = (): void => {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(url, { withCredentials: true });
    for (const type of ["open", ...eventTypes])
      source.addEventListener(type, (event) => broadcast(type, (event as MessageEvent<string>).data ?? ""));
    source.addEventListener("error", () => {
      broadcast("lost", "");
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, retryMs);
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
    });
  };
  let lastPongMs = Date.now();
  const pingTimer = setInterval(() => {
    if (source !== null || !document.hasFocus()) lastPongMs = Date.now();
    else if (Date.now() - lastPongMs > LEADER_TIMEOUT_MS) open();
    else channel.postMessage({ type: "ping", data: "" });
  }, PING_MS);
  channel.addEventListener("message", ({ data }: MessageEvent<{ type: string; data: string }>) => {
    if (data.type === "ping") {
      if (isLeader) channel.postMessage({ type: "pong", data: "" });
    } else if (data.type === "pong") lastPongMs = Date.now();
    else if (data.type === "hello") {
      const message = isLeader ? snapshot() : null;
      if (message !== null) channel.postMessage(message);
    } else if (source === null) onEvent(data.type, data.data);
  });

  // Only secure contexts have locks; any other page connects on its own.
  if (navigator.locks === undefined) open();
  else {
    void navigator.locks
      .request(CHANNEL_NAME, { signal: closing.signal }, () => {
        isLeader = true;
        if (source === null) open();
        return new Promise<void>((resolve) => closing.signal.addEventListener("abort", () => resolve()));
      })
      .catch(() => undefined);
    channel.postMessage({ type: "hello", data: "" });
  }
  return {
    reconnect: open,
    close() {
      closing.abort();
      clearInterval(pingTimer);
      clearTimeout(timer);
      source?.close();
      channel.close();
    },
  };
}
