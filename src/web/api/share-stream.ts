/** What was heard of a stream: its own events, `open` when it is connected, `lost` when it no longer is. */
export type Hear = (word: string, data: string) => void;

export interface SharedStream {
  /** For who has heard nothing for too long: it connects by itself. */
  again(): void;
  close(): void;
}

const NAME = "hookline-stream";
/** How often a tab that a person looks at makes sure that the one that follows is still at work. */
const PING_MS = 2_000;
const SILENT_MS = 4_500;
const FIRST_AGAIN_MS = 500;
const LAST_AGAIN_MS = 8_000;

/**
 * A browser has six connections to a daemon for all its tabs, and a stream holds one of them. So one tab follows the
 * stream and repeats to the others what it hears; when it is closed, the next one follows. `known` is what a tab that
 * comes later is told first.
 */
export function shareStream(
  url: string,
  words: readonly string[],
  { hear, known }: { readonly hear: Hear; readonly known: () => { word: string; data: string } | null },
): SharedStream {
  const channel = new BroadcastChannel(NAME);
  const end = new AbortController();
  let source: EventSource | null = null;
  let isLeading = false;
  let againMs = FIRST_AGAIN_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell: Hear = (word, data) => {
    if (word !== "lost") againMs = FIRST_AGAIN_MS;
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
      againMs = Math.min(LAST_AGAIN_MS, againMs * 2);
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

  // Only a page of a safe origin has locks; any other follows by itself.
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
    again: open,
    close() {
      end.abort();
      clearInterval(pinging);
      clearTimeout(timer);
      source?.close();
      channel.close();
    },
  };
}
