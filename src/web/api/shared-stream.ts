/** Receives the stream's events, plus `open` when it connects and `lost` when it disconnects. */
export type StreamListener = (word: string, data: string) => void;

export interface SharedStream {
  /** Connects directly; for a tab that has received nothing for too long. */
  reconnect(): void;
  close(): void;
}

const NAME = "hookline-stream";
/** How often a focused tab checks that the leading tab is still working. */
const PING_MS = 2_000;
const SILENT_MS = 4_500;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 8_000;

/**
 * A browser has six connections to a daemon for all its tabs, and a stream holds one of them. So one tab
 * follows the stream and forwards it to the others; when it is closed, the next one takes over. `known` is
 * the first message for a tab that joins later.
 */
export function openSharedStream(
  url: string,
  words: readonly string[],
  {
    hear,
    known,
  }: { readonly hear: StreamListener; readonly known: () => { word: string; data: string } | null },
): SharedStream {
  const channel = new BroadcastChannel(NAME);
  const end = new AbortController();
  let source: EventSource | null = null;
  let isLeading = false;
  let againMs = MIN_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell: StreamListener = (word, data) => {
    if (word !== "lost") againMs = MIN_RETRY_MS;
    hear(word, data);
    if (isLeading) channel.postMessage({ word, data });
  };
  const open = (): void => {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(url, { withCredentials: true });
    for (const word of ["open", ...words])
      source.addEventListener(word, (event) => tell(word, (event as MessageEvent<string>).data ?? ""));
    source.addEventListener("error", () => {
      tell("lost", "");
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, againMs);
      againMs = Math.min(MAX_RETRY_MS, againMs * 2);
    });
  };
  let answeredAtMs = Date.now();
  const pinging = setInterval(() => {
    if (source !== null || !document.hasFocus()) answeredAtMs = Date.now();
    else if (Date.now() - answeredAtMs > SILENT_MS) open();
    else channel.postMessage({ word: "ping", data: "" });
  }, PING_MS);
  channel.addEventListener("message", ({ data }: MessageEvent<{ word: string; data: string }>) => {
    if (data.word === "ping") {
      if (isLeading) channel.postMessage({ word: "pong", data: "" });
    } else if (data.word === "pong") answeredAtMs = Date.now();
    else if (data.word === "hello") {
      const told = isLeading ? known() : null;
      if (told !== null) channel.postMessage(told);
    } else if (source === null) hear(data.word, data.data);
  });

  // Only secure contexts have locks; any other page connects on its own.
  if (navigator.locks === undefined) open();
  else {
    void navigator.locks
      .request(NAME, { signal: end.signal }, () => {
        isLeading = true;
        if (source === null) open();
        return new Promise<void>((resolve) => end.signal.addEventListener("abort", () => resolve()));
      })
      .catch(() => undefined);
    channel.postMessage({ word: "hello", data: "" });
  }
  return {
    reconnect: open,
    close() {
      end.abort();
      clearInterval(pinging);
      clearTimeout(timer);
      source?.close();
      channel.close();
    },
  };
}
