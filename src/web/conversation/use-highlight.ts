import { useEffect, useMemo, useState } from "react";
import type { Hunk } from "./diff-lines.ts";
import type { Token } from "./highlight.ts";
import { languageOfPath } from "./language-of-path.ts";
import { highlightHunk } from "./line-tokens.ts";

type Highlighter = typeof import("./highlight.ts");

let loaded: Highlighter | null = null;
const MAX_CHARS = 60_000;

/** The tokens of a hunk's lines: none until the highlighter is loaded, and none for large or unknown files. */
export function useHighlight(hunk: Hunk, path: string): ReadonlyMap<number, readonly Token[]> {
  const [highlighter, setHighlighter] = useState(loaded);
  const language = languageOfPath(path);
  useEffect(() => {
    if (language === null || highlighter !== null) return;
    let isMounted = true;
    import("./highlight.ts").then(
      (module) => {
        loaded = module;
        if (isMounted) setHighlighter(module);
      },
      () => undefined, // A diff without colours is still readable.
    );
    return () => {
      isMounted = false;
    };
  }, [language, highlighter]);
  return useMemo(() => {
    const size = hunk.lines.reduce((sum, line) => sum + line.length, 0);
    if (highlighter === null || language === null || size > MAX_CHARS) return new Map();
    return highlightHunk(hunk, (lines) => highlighter.highlightLines(lines, language));
  }, [hunk, highlighter, language]);
}
