import { useEffect, useRef, useState } from "react";
import type { Entry } from "../conversation/entry.ts";

const NEAR_END_PX = 120;

/** Tracks entries that are new since the user last saw the end. New entries scroll the page only while following. */
export function useFollow(entries: readonly Entry[], isComplete: boolean) {
  const [isFollowing, setFollowing] = useState(false);
  const [seenKey, setSeenKey] = useState<string | null>(null);
  /** The entry that the divider follows, even after everything has been seen. */
  const [dividerKey, setDividerKey] = useState<string | null>(null);
  const lastKey = entries.at(-1)?.key ?? null;
  const wasAtEnd = useRef(true);
  const onReachEnd = useRef(() => {});

  useEffect(() => {
    if (!isComplete || lastKey === null) return;
    const isSeen = (isFollowing || wasAtEnd.current) && !document.hidden;
    setSeenKey((previous) => (previous === null || isSeen ? lastKey : previous));
    if (isSeen) setDividerKey(null);
    if (isFollowing) scrollToBottom();
  }, [lastKey, isComplete, isFollowing]);

  useEffect(() => {
    const onScroll = (): void => {
      const isAtEndNow = isAtEnd();
      if (isAtEndNow && !wasAtEnd.current) onReachEnd.current();
      wasAtEnd.current = isAtEndNow;
    };
    /** A user who scrolls up wants to read. */
    const onWheel = (event: WheelEvent): void => {
      if (event.deltaY < 0) setFollowing(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "PageUp" || event.key === "Home" || event.key === "ArrowUp") setFollowing(false);
    };
    let touchY = 0;
    const onTouchStart = (event: TouchEvent): void => {
      touchY = event.touches[0]?.clientY ?? 0;
    };
    const onTouchMove = (event: TouchEvent): void => {
      if ((event.touches[0]?.clientY ?? 0) > touchY + 10) setFollowing(false);
    };
    onScroll();
    const options = { passive: true } as const;
    addEventListener("scroll", onScroll, options);
    addEventListener("wheel", onWheel, options);
    addEventListener("keydown", onKey);
    addEventListener("touchstart", onTouchStart, options);
    addEventListener("touchmove", onTouchMove, options);
    return () => {
      removeEventListener("scroll", onScroll);
      removeEventListener("wheel", onWheel);
      removeEventListener("keydown", onKey);
      removeEventListener("touchstart", onTouchStart);
      removeEventListener("touchmove", onTouchMove);
    };
  }, []);

  const seenIndex = seenKey === null ? -1 : entries.findIndex(({ key }) => key === seenKey);
  const unseen = seenIndex === -1 ? 0 : entries.length - 1 - seenIndex;
  const dividerIndex =
    unseen > 0 ? seenIndex : dividerKey === null ? -1 : entries.findIndex(({ key }) => key === dividerKey);
  onReachEnd.current = () => {
    if (unseen === 0) return;
    setDividerKey(seenKey);
    setSeenKey(lastKey);
  };
  return {
    isOn: isFollowing,
    toggle: () => {
      setFollowing(!isFollowing);
      if (!isFollowing) scrollToBottom();
    },
    toEnd: () => {
      onReachEnd.current();
      scrollToBottom();
    },
    unseen,
    firstUnseen: dividerIndex === -1 ? -1 : dividerIndex + 1,
  };
}

function isAtEnd(): boolean {
  return document.documentElement.scrollHeight - innerHeight - scrollY < NEAR_END_PX;
}

/** Scrolls repeatedly, because the heights of the last rows are known only once they are rendered. */
function scrollToBottom(): void {
  const scroll = (): void => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  scroll();
  requestAnimationFrame(() => {
    scroll();
    setTimeout(scroll, 80);
  });
}
