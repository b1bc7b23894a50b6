import { useEffect, useState } from "react";
import type { AttachGap, DrivenSession } from "../../control/control-contract.ts";
import type { Envelope } from "../../control/envelope.ts";
import { get, Refused } from "../api/client.ts";
import { createStore, type Store, useStore } from "../api/store.ts";
import { type AttachMessage, applyMessage, type Conversation, SILENCE } from "./conversation.ts";

export interface Followed {
  readonly talk: Conversation;
  readonly connection: "connecting" | "live" | "lost" | "unknown";
}

const FIRST_AGAIN_MS = 500;
const LAST_AGAIN_MS = 8_000;
/** A browser has few connections to one place: a tab that nobody sees gives its own back. */
const HIDDEN_MS = 15_000;
const REFRESH_MS = 300;

/** A driven session, followed from its beginning for as long as the page is there. */
export function useConversation(id: string): Followed {
  const [store] = useState(() => createStore<Followed>(NOTHING));
  useEffect(() => follow(id, store), [id, store]);
  return useStore(store);
}

const NOTHING: Followed = { talk: SILENCE, connection: "connecting" };

function follow(id: string, store: Store<Followed>): () => void {
  const path = `/api/control/sessions/${encodeURIComponent(id)}`;
  let source: EventSource | null = null;
  let againMs = FIRST_AGAIN_MS;
  let again: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let refreshing: ReturnType<typeof setTimeout> | undefined;
  let talk = SILENCE;
  let frame = 0;
  store.set(NOTHING);

  /** What comes in one moment is one drawing. */
  const draw = (): void => {
    frame = 0;
    store.set({ talk, connection: "live" });
  };
  const take = (message: AttachMessage): void => {
    againMs = FIRST_AGAIN_MS;
    talk = applyMessage(talk, message);
    if (document.hidden) draw();
    else if (frame === 0) frame = requestAnimationFrame(draw);
  };
  /** How many messages wait is told by no envelope. */
  const refresh = (): void => {
    clearTimeout(refreshing);
    refreshing = setTimeout(async () => {
      const now = await get<DrivenSession>(path).catch(() => null);
      if (now === null || talk.session === null) return;
      const { queuedMessages, usage, pid } = now;
      talk = { ...talk, session: { ...talk.session, queuedMessages, usage, pid } };
      draw();
    }, REFRESH_MS);
  };
  const retry = (): void => {
    clearTimeout(again);
    again = setTimeout(open, againMs);
    againMs = Math.min(LAST_AGAIN_MS, againMs * 2);
  };
  /** A browser tells of no status: it is asked whether there is such a session at all. */
  const lookWhy = async (): Promise<void> => {
    const error = await get(path).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof Refused && error.code === "session_unknown" && talk === SILENCE)
      store.set({ talk, connection: "unknown" });
    else retry();
  };

  function open(): void {
    source?.close();
    source = new EventSource(`${path}/attach?after=${talk.lastSeq}`, { withCredentials: true });
    const on = <T>(name: string, act: (data: T) => void): void =>
      source?.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent<string>).data) as T));
    on<DrivenSession>("snapshot", (session) => take({ type: "snapshot", session }));
    on<Envelope>("envelope", (envelope) => {
      take({ type: "envelope", envelope });
      if (["user", "state", "result"].includes(envelope.type)) refresh();
    });
    on<AttachGap>("gap", (gap) => {
      take({ type: "gap", gap });
      open();
    });
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) void lookWhy();
      store.set({ ...store.get(), connection: "lost" });
    });
  }
  const onShown = (): void => {
    clearTimeout(hiding);
    if (document.hidden) {
      hiding = setTimeout(() => {
        clearTimeout(again);
        source?.close();
        source = null;
      }, HIDDEN_MS);
    } else if (source === null) open();
  };
  document.addEventListener("visibilitychange", onShown);
  open();
  return () => {
    document.removeEventListener("visibilitychange", onShown);
    for (const timer of [again, hiding, refreshing]) clearTimeout(timer);
    cancelAnimationFrame(frame);
    source?.close();
  };
}
