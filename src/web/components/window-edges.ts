import { useEffect, useState } from "react";

/** How much of the window is covered: by the top bar, and by the bottom menu in a narrow window. */
export function coveredEdges(): { readonly top: number; readonly bottom: number } {
  const topBar = document.querySelector(".frame > .top")?.getBoundingClientRect();
  const menu = document.querySelector(".menu")?.getBoundingClientRect();
  const isAtBottom = menu !== undefined && menu.top > innerHeight / 2;
  return {
    top: Math.max(0, Math.ceil(topBar?.bottom ?? 0)),
    bottom: isAtBottom ? Math.max(0, Math.ceil(innerHeight - menu.top)) : 0,
  };
}

const MIN_BOTTOM_PX = 8;

/** The covered edges as an observer's root margin; recreate the observer when it changes. */
export function useEdgesMargin(): string {
  const [margin, setMargin] = useState(marginNow);
  useEffect(() => {
    const update = (): void => setMargin(marginNow());
    const observer = new ResizeObserver(update);
    for (const element of document.querySelectorAll(".frame > .top, .menu")) observer.observe(element);
    addEventListener("resize", update);
    update();
    return () => {
      observer.disconnect();
      removeEventListener("resize", update);
    };
  }, []);
  return margin;
}

function marginNow(): string {
  const { top, bottom } = coveredEdges();
  return `-${top}px 0px -${Math.max(MIN_BOTTOM_PX, bottom)}px`;
}
