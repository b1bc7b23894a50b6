import { type ReactNode, useEffect, useRef } from "react";
import { live } from "../api/live.ts";
import { useAttentionCounts } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { markSessionOpened } from "../components/last-seen.ts";
import { useStrings } from "../i18n/strings.ts";
import { setTabCount } from "./browser-tab.ts";
import { DisconnectedBanner } from "./disconnected-banner.tsx";
import { Keys } from "./keys.tsx";
import { Nav } from "./nav.tsx";
import { matchPath, useRoute } from "./router.ts";
import { StatusBar } from "./status-bar.tsx";
import { Toast } from "./toast.tsx";
import "./frame.css";

export function Frame({ children }: { readonly children: ReactNode }) {
  const strings = useStrings();
  const { path } = useRoute();
  const { connection } = useStore(live);
  const main = useRef<HTMLElement>(null);
  const top = useTopHeight();
  const { all: waiting } = useAttentionCounts();
  useEffect(() => setTabCount(waiting), [waiting]);
  useFocusOnNavigation(path, main);
  useMarkOpened(path);
  return (
    <div className={`frame ${connection === "lost" ? "stale" : ""}`}>
      <a className="skip" href="#content">
        {strings.app.skip}
      </a>
      <Nav path={path} waiting={waiting} />
      <div className="top" ref={top}>
        <StatusBar />
        <DisconnectedBanner />
      </div>
      <main id="content" ref={main} tabIndex={-1}>
        {children}
      </main>
      <Keys />
      <Toast />
    </div>
  );
}

/** Sticky elements below the top bar need its height. */
function useTopHeight() {
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

/** Moves the focus to the content after navigation, unless the page has set it. */
function useFocusOnNavigation(path: string, main: React.RefObject<HTMLElement | null>): void {
  const previousPath = useRef(path);
  useEffect(() => {
    if (previousPath.current === path) return;
    previousPath.current = path;
    if (main.current?.contains(document.activeElement)) return;
    main.current?.focus({ preventScroll: true });
  }, [path, main]);
}

/** Marks a session as seen when its page opens and when it is left. */
function useMarkOpened(path: string): void {
  useEffect(() => {
    const id = (matchPath("/s/:id", path) ?? matchPath("/steer/:id", path))?.["id"];
    if (id === undefined) return;
    markSessionOpened(id);
    return () => markSessionOpened(id);
  }, [path]);
}
