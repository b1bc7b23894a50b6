import { type RefObject, useEffect, useState } from "react";
import { useEdgesMargin } from "./window-edges.ts";

const SEEN_MS = 500;
/** Of what is taller than the window, as much as fills it. */
const STEPS = Array.from({ length: 21 }, (_, n) => n / 20);

/** Whether an element, with what it asks now, has been on the screen whole for a moment. */
export function useSeen(element: RefObject<HTMLElement | null>, request: string): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  const rootMargin = useEdgesMargin();
  useEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)!;
        const room = entry.rootBounds?.height ?? innerHeight;
        const isWhole = entry.intersectionRatio > 0.97 || entry.intersectionRect.height > room * 0.6;
        if (!isWhole) {
          clearTimeout(timer);
          timer = undefined;
          setSeen(null);
        } else timer ??= setTimeout(() => setSeen(request), SEEN_MS);
      },
      { threshold: STEPS, rootMargin },
    );
    observer.observe(watched);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [element, request, rootMargin]);
  return seen === request;
}
