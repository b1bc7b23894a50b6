import { useEffect, useRef, useState } from "react";
import type { SearchAnswer } from "../../serve/contract.ts";
import { get } from "../api/client.ts";

const DEBOUNCE_MS = 120;

export interface SearchState {
  readonly answer: SearchAnswer | null;
  readonly error: string | null;
  readonly isLoading: boolean;
}

/** Debounced search that aborts earlier requests and keeps the last answer while loading. */
export function useSearch(path: string, version: number): SearchState {
  const [state, setState] = useState<SearchState>({ answer: null, error: null, isLoading: true });
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version triggers a refetch
  useEffect(() => {
    const controller = new AbortController();
    setState((previous) => ({ ...previous, isLoading: true }));
    const search = (): void => {
      get<SearchAnswer>(path, controller.signal).then(
        (answer) => setState({ answer, error: null, isLoading: false }),
        (error: Error) => {
          if (!controller.signal.aborted)
            setState((previous) => ({ ...previous, error: error.message, isLoading: false }));
        },
      );
    };
    const timer = setTimeout(search, isFirst.current ? 0 : DEBOUNCE_MS);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [path, version]);
  return state;
}
