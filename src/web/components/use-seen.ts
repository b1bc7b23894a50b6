import { type RefObject, useEffect, useState } from "react";
import { useEdgesMargin } from "./window-edges.ts";

const SEEN_MS = 500;
/** Fine-grained, because an element taller than the window only needs to fill most of it. */
const THRESHOLDS = Array.from({ length: 21 }, (_, n) => n / 20);

/** Less visible text than this does not count as seen. */
const MIN_TEXT_PX = 12;

function showsText(ratio: number, height: number): boolean {
  return ratio > 0.97 || height >= MIN_TEXT_PX;
}

/** Whether an element with its current request has been fully visible for a moment, including its text. */
export function useSeen(element: RefObject<HTMLElement | null>, request: string): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  const rootMargin = useEdgesMargin();
  useEffect(() => {
    const observed = element.current;
    if (observed === null) return;
    const text = observed.querySelector(".shown-box");
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFullyVisible = false;
    let isTextVisible = text === null;
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, rootBounds, intersectionRatio, intersectionRect } of entries) {
          const { height } = intersectionRect;
          if (target === text) isTextVisible = showsText(intersectionRatio, height);
          else
            isFullyVisible = intersectionRatio > 0.97 || height > (rootBounds?.height ?? innerHeight) * 0.6;
        }
        if (!isFullyVisible || !isTextVisible) {
          clearTimeout(timer);
          timer = undefined;
          setSeen(null);
        } else timer ??= setTimeout(() => setSeen(request), SEEN_MS);
      },
      { threshold: THRESHOLDS, rootMargin },
    );
    observer.observe(observed);
    if (text !== null) observer.observe(text);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [element, request, rootMargin]);
  return seen === request;
}

/** Whether some of its text is on the screen now. */
export function useTextInView(element: RefObject<HTMLElement | null>, request: string): boolean {
  const [isVisible, setVisible] = useState(false);
  const rootMargin = useEdgesMargin();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request has its own text box
  useEffect(() => {
    const text = element.current?.querySelector(".shown-box");
    if (text == null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const { intersectionRatio, intersectionRect } = entries.at(-1)!;
        setVisible(showsText(intersectionRatio, intersectionRect.height));
      },
      { threshold: THRESHOLDS, rootMargin },
    );
    observer.observe(text);
    return () => observer.disconnect();
  }, [element, request, rootMargin]);
  return isVisible;
}
