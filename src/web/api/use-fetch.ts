import { useCallback, useEffect, useState } from "react";
import { get } from "./client.ts";

export type FetchState<T> =
  | { readonly type: "asking"; readonly last: T | null }
  | { readonly type: "answered"; readonly value: T }
  | { readonly type: "failed"; readonly error: Error; readonly last: T | null };

/** The response for a path, and a function to fetch again. The last response stays during a fetch. */
export function useFetch<T>(path: string | null): [FetchState<T>, () => void] {
  const [asked, setAsked] = useState<FetchState<T>>({ type: "asking", last: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    setAsked((before) => ({ type: "asking", last: lastValue(before) }));
    get<T>(path, stop.signal).then(
      (value) => setAsked({ type: "answered", value }),
      (error: Error) => {
        if (!stop.signal.aborted) setAsked((before) => ({ type: "failed", error, last: lastValue(before) }));
      },
    );
    return () => stop.abort();
  }, [path, round]);
  return [asked, useCallback(() => setRound((before) => before + 1), [])];
}

export function lastValue<T>(asked: FetchState<T>): T | null {
  return asked.type === "answered" ? asked.value : asked.last;
}
