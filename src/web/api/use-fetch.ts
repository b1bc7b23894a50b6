import { useCallback, useEffect, useState } from "react";
import { get } from "./client.ts";

export type FetchState<T> =
  | { readonly type: "loading"; readonly last: T | null }
  | { readonly type: "loaded"; readonly value: T }
  | { readonly type: "failed"; readonly error: Error; readonly last: T | null };

/** The response for a path, and a function to refetch it. The last value stays available while loading. */
export function useFetch<T>(path: string | null): [FetchState<T>, () => void] {
  const [state, setState] = useState<FetchState<T>>({ type: "loading", last: null });
  const [version, setVersion] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version triggers a refetch
  useEffect(() => {
    if (path === null) return;
    const controller = new AbortController();
    setState((previous) => ({ type: "loading", last: lastValue(previous) }));
    get<T>(path, controller.signal).then(
      (value) => setState({ type: "loaded", value }),
      (error: Error) => {
        if (!controller.signal.aborted)
          setState((previous) => ({ type: "failed", error, last: lastValue(previous) }));
      },
    );
    return () => controller.abort();
  }, [path, version]);
  return [state, useCallback(() => setVersion((previous) => previous + 1), [])];
}

export function lastValue<T>(state: FetchState<T>): T | null {
  return state.type === "loaded" ? state.value : state.last;
}
