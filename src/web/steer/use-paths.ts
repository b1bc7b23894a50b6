import { useEffect, useState } from "react";
import type { PathList } from "../../control/control-contract.ts";
import { get } from "../api/client.ts";

const DEBOUNCE_MS = 80;
const NO_PATHS: readonly string[] = [];

/** Completions of the typed path; none for null. Stale results are never shown. */
export function usePaths(url: string | null, typed: string | null): readonly string[] {
  const request = url === null || typed === null ? null : `${url}?typed=${encodeURIComponent(typed)}`;
  const [result, setResult] = useState<{
    readonly request: string;
    readonly paths: readonly string[];
  } | null>(null);
  useEffect(() => {
    if (request === null) return;
    let isMounted = true;
    const timer = setTimeout(async () => {
      const answer = await get<PathList>(request).catch(() => ({ paths: [] }));
      if (isMounted) setResult({ request, paths: answer.paths });
    }, DEBOUNCE_MS);
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [request]);
  return result !== null && result.request === request ? result.paths : NO_PATHS;
}
