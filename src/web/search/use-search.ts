import { useEffect, useRef, useState } from "react";
import type { SearchAnswer } from "../../serve/contract.ts";
import { get } from "../api/client.ts";

const QUIET_MS = 120;

export interface SearchState {
  readonly answer: SearchAnswer | null;
  readonly error: string | null;
  readonly isLoading: boolean;
}

/** Fetches a moment after the last change and aborts earlier requests. The last answer stays meanwhile. */
export function useSearch(path: string, round: number): SearchState {
  const [searched, setSearched] = useState<SearchState>({ answer: null, error: null, isLoading: true });
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const stop = new AbortController();
    setSearched((before) => ({ ...before, isLoading: true }));
    const ask = (): void => {
      get<SearchAnswer>(path, stop.signal).then(
        (answer) => setSearched({ answer, error: null, isLoading: false }),
        (error: Error) => {
          if (!stop.signal.aborted)
            setSearched((before) => ({ ...before, error: error.message, isLoading: false }));
        },
      );
    };
    const timer = setTimeout(ask, isFirst.current ? 0 : QUIET_MS);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, round]);
  return searched;
}
