import { useEffect, useState } from "react";
import type { AttachGap, DrivenSession } from "../../control/control-contract.ts";
import type { Envelope } from "../../control/envelope.ts";
import { ApiError, get } from "../api/client.ts";
import { createStore, type Store, useStore } from "../api/store.ts";
import { type AttachMessage, applyMessage, type Conversation, EMPTY_CONVERSATION } from "./conversation.ts";

export interface ConversationState {
  readonly conversation: Conversation;
  readonly connection: "connecting" | "live" | "lost" | "unknown";
}

const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 8_000;
/** A browser has few connections per origin, so a hidden tab releases its own. */
const HIDDEN_MS = 15_000;
const REFRESH_MS = 300;

/** A driven session, followed from its start for as long as the page is open. */
export function useConversation(id: string): ConversationState {
  const [store] = useState(() => createStore<ConversationState>(INITIAL_STATE));
  useEffect(() => follow(id, store), [id, store]);
  return useStore(store);
}

const INITIAL_STATE: ConversationState = { conversation: EMPTY_CONVERSATION, connection: "connecting" };

function follow(id: string, store: Store<ConversationState>): () => void {
  const path = `/api/control/sessions/${encodeURIComponent(id)}`;
  let source: EventSource | null = null;
  let retryMs = MIN_RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  let conversation = EMPTY_CONVERSATION;
  let frame = 0;
  store.set(INITIAL_STATE);

  /** Batches the messages of a frame into one render. */
  const publish = (): void => {
    frame = 0;
    store.set({ conversation, connection: "live" });
  };
  const receive = (message: AttachMessage): void => {
    retryMs = MIN_RETRY_MS;
    conversation = applyMessage(conversation, message);
    if (document.hidden) publish();
    else if (frame === 0) frame = requestAnimationFrame(publish);
  };
  /** No envelope carries the number of queued messages. */
  const refresh = (): void => {
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(async () => {
      const current = await get<DrivenSession>(path).catch(() => null);
      if (current === null || conversation.session === null) return;
      const { queuedMessages, usage, pid } = current;
      conversation = { ...conversation, session: { ...conversation.session, queuedMessages, usage, pid } };
      publish();
    }, REFRESH_MS);
  };
  const retry = (): void => {
    clearTimeout(retryTimer);
    retryTimer = setTimeout(open, retryMs);
    retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
  };
  /** EventSource exposes no status, so check whether the session exists at all. */
  const checkSession = async (): Promise<void> => {
    const error = await get(path).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof ApiError && error.code === "session_unknown" && conversation === EMPTY_CONVERSATION)
      store.set({ conversation, connection: "unknown" });
    else retry();
  };

  function open(): void {
    source?.close();
    source = new EventSource(`${path}/attach?after=${conversation.lastSeq}`, { withCredentials: true });
    const listen = <T>(name: string, handler: (data: T) => void): void =>
      source?.addEventListener(name, (event) =>
        handler(JSON.parse((event as MessageEvent<string>).data) as T),
      );
    listen<DrivenSession>("snapshot", (session) => receive({ type: "snapshot", session }));
    listen<Envelope>("envelope", (envelope) => {
      receive({ type: "envelope", envelope });
      if (["user", "state", "result"].includes(envelope.type)) refresh();
    });
    listen<AttachGap>("gap", (gap) => {
      receive({ type: "gap", gap });
      open();
    });
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) void checkSession();
      store.set({ ...store.get(), connection: "lost" });
    });
  }
  const onVisibilityChange = (): void => {
    clearTimeout(hideTimer);
    if (document.hidden) {
      hideTimer = setTimeout(() => {
        clearTimeout(retryTimer);
        source?.close();
        source = null;
      }, HIDDEN_MS);
    } else if (source === null) open();
  };
  document.addEventListener("visibilitychange", onVisibilityChange);
  open();
  return () => {
    document.removeEventListener("visibilitychange", onVisibilityChange);
    for (const timer of [retryTimer, hideTimer, refreshTimer]) clearTimeout(timer);
    cancelAnimationFrame(frame);
    source?.close();
  };
}
