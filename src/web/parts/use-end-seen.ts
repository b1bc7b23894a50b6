import { useEffect, useState } from "react";

/** What sticks to the edges of the window covers what is there. */
const EDGES = "-48px 0px -8px";

/**
 * Whether the end of a text has been in view: inside the box it scrolls in, and that inside the window. It holds for
 * this very text; another one has not been seen. Returns the mark to put at the end.
 */
export function useEndSeen(text: string): readonly [boolean, (mark: HTMLElement | null) => void] {
  const [mark, setMark] = useState<HTMLElement | null>(null);
  const [seen, setSeen] = useState<string | null>(null);
  useEffect(() => {
    if (mark === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(text);
      },
      { rootMargin: EDGES },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [mark, text]);
  return [seen === text, setMark];
}
