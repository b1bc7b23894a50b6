import { useEffect, useRef, useState } from "react";
import type { SearchAnswer } from "../../serve/contract.ts";
import { get } from "../api/client.ts";

const QUIET_MS = 120;

export interface Searched {
  readonly answer: SearchAnswer | null;
  readonly error: string | null;
  readonly isAsking: boolean;
}

/** Asks a moment after the last change; what was asked before is broken off. The last answer stays meanwhile. */
export function useSearch(path: string, round: number): Searched {
  const [searched, setSearched] = useState<Searched>({ answer: null, error: null, isAsking: true });
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const stop = new AbortController();
    setSearched((before) => ({ ...before, isAsking: true }));
    const ask = (): void => {
      get<SearchAnswer>(path, stop.signal).then(
        (answer) => setSearched({ answer, error: null, isAsking: false }),
        (error: Error) => {
          if (!stop.signal.aborted)
            setSearched((before) => ({ ...before, error: error.message, isAsking: false }));
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
