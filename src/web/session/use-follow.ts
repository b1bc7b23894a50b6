import { useEffect, useRef, useState } from "react";
import type { Entry } from "../conversation/entry.ts";

const NEAR_PX = 120;

/** What is new since the user last saw the end. New entries never move the page, unless it follows. */
export function useFollow(entries: readonly Entry[], isWhole: boolean) {
  const [isOn, setOn] = useState(false);
  const [seenKey, setSeenKey] = useState<string | null>(null);
  /** The entry that the divider follows, even after everything has been seen. */
  const [lineKey, setLineKey] = useState<string | null>(null);
  const lastKey = entries.at(-1)?.key ?? null;
  const wasAtEnd = useRef(true);
  const reached = useRef(() => {});

  useEffect(() => {
    if (!isWhole || lastKey === null) return;
    const isSeen = (isOn || wasAtEnd.current) && !document.hidden;
    setSeenKey((before) => (before === null || isSeen ? lastKey : before));
    if (isSeen) setLineKey(null);
    if (isOn) toBottom();
  }, [lastKey, isWhole, isOn]);

  useEffect(() => {
    const onScroll = (): void => {
      const isNow = isAtEnd();
      if (isNow && !wasAtEnd.current) reached.current();
      wasAtEnd.current = isNow;
    };
    /** A user who scrolls up wants to read. */
    const onWheel = (event: WheelEvent): void => {
      if (event.deltaY < 0) setOn(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "PageUp" || event.key === "Home" || event.key === "ArrowUp") setOn(false);
    };
    let touchY = 0;
    const onTouchStart = (event: TouchEvent): void => {
      touchY = event.touches[0]?.clientY ?? 0;
    };
    const onTouch = (event: TouchEvent): void => {
      if ((event.touches[0]?.clientY ?? 0) > touchY + 10) setOn(false);
    };
    onScroll();
    const passive = { passive: true } as const;
    addEventListener("scroll", onScroll, passive);
    addEventListener("wheel", onWheel, passive);
    addEventListener("keydown", onKey);
    addEventListener("touchstart", onTouchStart, passive);
    addEventListener("touchmove", onTouch, passive);
    return () => {
      removeEventListener("scroll", onScroll);
      removeEventListener("wheel", onWheel);
      removeEventListener("keydown", onKey);
      removeEventListener("touchstart", onTouchStart);
      removeEventListener("touchmove", onTouch);
    };
  }, []);

  const seenAt = seenKey === null ? -1 : entries.findIndex(({ key }) => key === seenKey);
  const unseen = seenAt === -1 ? 0 : entries.length - 1 - seenAt;
  const lineAt =
    unseen > 0 ? seenAt : lineKey === null ? -1 : entries.findIndex(({ key }) => key === lineKey);
  reached.current = () => {
    if (unseen === 0) return;
    setLineKey(seenKey);
    setSeenKey(lastKey);
  };
  return {
    isOn,
    toggle: () => {
      setOn(!isOn);
      if (!isOn) toBottom();
    },
    toEnd: () => {
      reached.current();
      toBottom();
    },
    unseen,
    firstUnseen: lineAt === -1 ? -1 : lineAt + 1,
  };
}

function isAtEnd(): boolean {
  return document.documentElement.scrollHeight - innerHeight - scrollY < NEAR_PX;
}

/** Twice: the heights of the last rows are known only once they are rendered. */
function toBottom(): void {
  const go = (): void => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  go();
  requestAnimationFrame(() => {
    go();
    setTimeout(go, 80);
  });
}
