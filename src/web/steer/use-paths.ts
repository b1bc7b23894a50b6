import { useEffect, useState } from "react";
import type { PathList } from "../../control/control-contract.ts";
import { get } from "../api/client.ts";

const WAIT_MS = 80;
const NONE: readonly string[] = [];

/** The completions of what was typed; none for null. Those of earlier letters are never shown for later ones. */
export function usePaths(address: string | null, typed: string | null): readonly string[] {
  const wanted = address === null || typed === null ? null : `${address}?typed=${encodeURIComponent(typed)}`;
  const [found, setFound] = useState<{ readonly of: string; readonly paths: readonly string[] } | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    let isHere = true;
    const timer = setTimeout(async () => {
      const answer = await get<PathList>(wanted).catch(() => ({ paths: [] }));
      if (isHere) setFound({ of: wanted, paths: answer.paths });
    }, WAIT_MS);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [wanted]);
  return found !== null && found.of === wanted ? found.paths : NONE;
}
