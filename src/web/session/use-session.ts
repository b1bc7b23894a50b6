import { useEffect, useRef } from "react";
import type { SessionDetail, SessionSnapshot } from "../../serve/contract.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { type FetchState, lastValue, useFetch } from "../api/use-fetch.ts";

const REFETCH_DELAY_MS = 1_500;
/** The detail of a long session is expensive to compute. */
const LONG_REFETCH_DELAY_MS = 8_000;
const LONG_CALLS = 1_000;

/** A session's detail, fetched again when the session changes, and its live snapshot. */
export function useSession(sessionId: string): {
  readonly response: FetchState<SessionDetail>;
  readonly detail: SessionDetail | null;
  readonly session: SessionSnapshot | null;
} {
  const [response, refetch] = useFetch<SessionDetail>(`/api/sessions/${encodeURIComponent(sessionId)}`);
  const watched = useStore(live).sessions.get(sessionId);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const initial = useRef(watched);
  useEffect(() => {
    if (watched === initial.current) return;
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        refetch();
      },
      (watched?.toolCount ?? 0) > LONG_CALLS ? LONG_REFETCH_DELAY_MS : REFETCH_DELAY_MS,
    );
  }, [watched, refetch]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  const latest = lastValue(response);
  const detail = latest?.session.sessionId === sessionId ? latest : null;
  return { response, detail, session: watched ?? detail?.session ?? null };
}
