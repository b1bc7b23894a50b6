import { useEffect, useState } from "react";
import { useEdgesMargin } from "./window-edges.ts";

/**
 * Whether the end of a text has been in view: inside its scroll box, and not covered. Valid only for this
 * text; a different one has not been seen. Returns the marker to put at the end.
 */
export function useEndSeen(text: string): readonly [boolean, (marker: HTMLElement | null) => void] {
  const [marker, setMarker] = useState<HTMLElement | null>(null);
  const [seen, setSeen] = useState<string | null>(null);
  const rootMargin = useEdgesMargin();
  useEffect(() => {
    if (marker === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(text);
      },
      { rootMargin },
    );
    observer.observe(marker);
    return () => observer.disconnect();
  }, [marker, text, rootMargin]);
  return [seen === text, setMarker];
}
