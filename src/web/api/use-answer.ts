import { useCallback, useEffect, useState } from "react";
import { get } from "./client.ts";

export type Asked<T> =
  | { readonly type: "asking"; readonly last: T | null }
  | { readonly type: "answered"; readonly value: T }
  | { readonly type: "failed"; readonly error: Error; readonly last: T | null };

/** What a path answers, and a way to ask again. The last answer stays while it is asked. */
export function useAnswer<T>(path: string | null): [Asked<T>, () => void] {
  const [asked, setAsked] = useState<Asked<T>>({ type: "asking", last: null });
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

export function lastValue<T>(asked: Asked<T>): T | null {
  return asked.type === "answered" ? asked.value : asked.last;
}
