import { type ReactNode, useEffect, useRef } from "react";
import { live } from "../api/live.ts";
import { useNeeds } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { openedSession } from "../parts/looked.ts";
import { useWords } from "../words/words.ts";
import { Keys } from "./keys.tsx";
import { LostBanner } from "./lost-banner.tsx";
import { Nav } from "./nav.tsx";
import { matchPath, usePlace } from "./router.ts";
import { Strip } from "./strip.tsx";
import { setTabCount } from "./tab.ts";
import { Told } from "./told.tsx";
import "./frame.css";

export function Frame({ children }: { readonly children: ReactNode }) {
  const words = useWords();
  const { path } = usePlace();
  const { connection } = useStore(live);
  const main = useRef<HTMLElement>(null);
  const top = useTop();
  const { all: waiting } = useNeeds();
  useEffect(() => setTabCount(waiting), [waiting]);
  useFreshPage(path, main);
  useOpened(path);
  return (
    <div className={`frame ${connection === "lost" ? "stale" : ""}`}>
      <a className="skip" href="#content">
        {words.app.skip}
      </a>
      <Nav path={path} waiting={waiting} />
      <div className="top" ref={top}>
        <Strip />
        <LostBanner />
      </div>
      <main id="content" ref={main} tabIndex={-1}>
        {children}
      </main>
      <Keys />
      <Told />
    </div>
  );
}

/** What sticks below the top has to know how high that is. */
function useTop() {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      document.documentElement.style.setProperty("--top-height", `${entry!.target.clientHeight}px`),
    );
    observer.observe(top.current!);
    return () => observer.disconnect();
  }, []);
  return top;
}

/** On another page the keyboard goes on at its beginning, not in the menu; what a page itself focuses stays so. */
function useFreshPage(path: string, main: React.RefObject<HTMLElement | null>): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (main.current?.contains(document.activeElement)) return;
    main.current?.focus({ preventScroll: true });
  }, [path, main]);
}

/** Whose page was open has been seen up to when it was left. */
function useOpened(path: string): void {
  useEffect(() => {
    const id = (matchPath("/s/:id", path) ?? matchPath("/steer/:id", path))?.["id"];
    if (id === undefined) return;
    openedSession(id);
    return () => openedSession(id);
  }, [path]);
}
