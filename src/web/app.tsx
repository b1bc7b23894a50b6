import { lazy, Suspense, useEffect, useState } from "react";
import { followCards } from "./api/cards.ts";
import { whenLoggedOut } from "./api/client.ts";
import { followSessions } from "./api/live.ts";
import { NowPage } from "./pages/now.tsx";
import { followLooks } from "./parts/looked.ts";
import { Frame } from "./shell/frame.tsx";
import { type Entry, enter, hasCode, LoginPage } from "./shell/login.tsx";
import { Mishap } from "./shell/mishap.tsx";
import { followNotices } from "./shell/notify.ts";
import { matchPath, usePlace } from "./shell/router.ts";
import { startWorker } from "./shell/worker.ts";
import { useWords } from "./words/words.ts";

type View = React.ComponentType<{ readonly values: Record<string, string> }>;

/** Only the first page comes with the first load. */
const PAGES = [
  page("/sessions", async () => (await import("./pages/sessions.tsx")).SessionsPage),
  page("/s/:id", async () => (await import("./pages/session.tsx")).SessionPage),
  page("/search", async () => (await import("./pages/search.tsx")).SearchPage),
  page("/usage", async () => (await import("./pages/usage.tsx")).UsagePage),
  page("/away", async () => (await import("./pages/away.tsx")).AwayPage),
  page("/policy", async () => (await import("./pages/policy.tsx")).PolicyPage),
  page("/health", async () => (await import("./pages/health.tsx")).HealthPage),
  page("/settings", async () => (await import("./pages/settings.tsx")).SettingsPage),
  page("/steer", async () => (await import("./pages/steer.tsx")).SteerPage),
  page("/steer/:id", async () => (await import("./pages/steer-session.tsx")).SteerSessionPage),
];

function page(pattern: string, load: () => Promise<View>) {
  return { pattern, load, View: lazy(async () => ({ default: await load() })) };
}

/** Lets the page of an address come while something else is waited for. */
export function fetchPage(path: string): void {
  const wanted = PAGES.find(({ pattern }) => matchPath(pattern, path) !== null);
  // What fails here is told when it is drawn.
  wanted?.load().catch(() => undefined);
}

export function App({ entry }: { readonly entry: Entry }) {
  const [{ isIn: inside, refusal }, setEntry] = useState(entry);
  const { path } = usePlace();
  useEffect(() => whenLoggedOut(() => setEntry({ isIn: false, refusal: null })), []);
  useEffect(() => {
    // A login link that is pasted into an open tab changes nothing but the fragment.
    const onLink = (): void => {
      if (hasCode()) void enter().then(setEntry);
    };
    window.addEventListener("hashchange", onLink);
    return () => window.removeEventListener("hashchange", onLink);
  }, []);
  useEffect(() => {
    if (!inside) return;
    const stops = [followSessions(), followCards(), followNotices(), followLooks()];
    startWorker();
    return () => {
      for (const stop of stops) stop();
    };
  }, [inside]);
  if (!inside) return <LoginPage refusal={refusal} />;
  return (
    <Frame>
      <Mishap of={path}>
        <Suspense fallback={<Wait />}>
          <Page path={path} />
        </Suspense>
      </Mishap>
    </Frame>
  );
}

function Page({ path }: { readonly path: string }) {
  const words = useWords();
  if (path === "/") return <NowPage />;
  for (const { pattern, View } of PAGES) {
    const values = matchPath(pattern, path);
    if (values !== null) return <View values={values} />;
  }
  return <h1>{words.pages.unknown}</h1>;
}

function Wait() {
  return <p className="muted">{useWords().app.loading}</p>;
}
