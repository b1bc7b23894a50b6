import { useEffect, useRef } from "react";
import type { SessionDetail, SessionSnapshot } from "../../serve/contract.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { type FetchState, lastValue, useFetch } from "../api/use-fetch.ts";

const PAUSE_MS = 1_500;
/** The detail of a long session is expensive to compute. */
const LONG_PAUSE_MS = 8_000;
const LONG_CALLS = 1_000;

/** A session's detail, fetched again when the session changes, and its live snapshot. */
export function useSession(sessionId: string): {
  readonly asked: FetchState<SessionDetail>;
  readonly detail: SessionDetail | null;
  readonly session: SessionSnapshot | null;
} {
  const [asked, again] = useFetch<SessionDetail>(`/api/sessions/${encodeURIComponent(sessionId)}`);
  const watched = useStore(live).sessions.get(sessionId);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const first = useRef(watched);
  useEffect(() => {
    if (watched === first.current) return;
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        again();
      },
      (watched?.toolCount ?? 0) > LONG_CALLS ? LONG_PAUSE_MS : PAUSE_MS,
    );
  }, [watched, again]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  const answered = lastValue(asked);
  const detail = answered?.session.sessionId === sessionId ? answered : null;
  return { asked, detail, session: watched ?? detail?.session ?? null };
}
