import { lazy, Suspense, useEffect, useState } from "react";
import { followCards } from "./api/cards.ts";
import { whenLoggedOut } from "./api/client.ts";
import { followSessions } from "./api/live.ts";
import { trackPresence } from "./components/last-seen.ts";
import { useStrings } from "./i18n/strings.ts";
import { NowPage } from "./pages/now.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { Frame } from "./shell/frame.tsx";
import { hasLoginCode, LoginPage, type LoginState, logIn } from "./shell/login.tsx";
import { PageNotFound } from "./shell/not-found.tsx";
import { followRequestNotifications } from "./shell/notifications.ts";
import { matchPath, useRoute } from "./shell/router.ts";
import { registerServiceWorker } from "./shell/service-worker.ts";

type View = React.ComponentType<{ readonly values: Record<string, string> }>;

/** The initial bundle contains only the first page. */
const PAGES = [
  definePage("/sessions", async () => (await import("./pages/sessions.tsx")).SessionsPage),
  definePage("/s/:id", async () => (await import("./pages/session.tsx")).SessionPage),
  definePage("/search", async () => (await import("./pages/search.tsx")).SearchPage),
  definePage("/usage", async () => (await import("./pages/usage.tsx")).UsagePage),
  definePage("/away", async () => (await import("./pages/away.tsx")).AwayPage),
  definePage("/policy", async () => (await import("./pages/policy.tsx")).PolicyPage),
  definePage("/health", async () => (await import("./pages/health.tsx")).HealthPage),
  definePage("/settings", async () => (await import("./pages/settings.tsx")).SettingsPage),
  definePage("/steer", async () => (await import("./pages/steer.tsx")).SteerPage),
  definePage("/steer/:id", async () => (await import("./pages/steer-session.tsx")).SteerSessionPage),
];

function definePage(pattern: string, load: () => Promise<View>) {
  return { pattern, load, View: lazy(async () => ({ default: await load() })) };
}

/** Starts loading a page's code early. */
export function preloadPage(path: string): void {
  const match = PAGES.find(({ pattern }) => matchPath(pattern, path) !== null);
  // An error here is reported when the page is rendered.
  match?.load().catch(() => undefined);
}

export function App({ initialLogin }: { readonly initialLogin: LoginState }) {
  const [{ isLoggedIn, refusal }, setLogin] = useState(initialLogin);
  const { path } = useRoute();
  useEffect(() => whenLoggedOut(() => setLogin({ isLoggedIn: false, refusal: null })), []);
  useEffect(() => {
    // Pasting a login link into an open tab changes only the fragment.
    const onHashChange = (): void => {
      if (hasLoginCode()) void logIn().then(setLogin);
    };
    window.addEventListener("hashchange", onHashChange);
    return () => window.removeEventListener("hashchange", onHashChange);
  }, []);
  useEffect(() => {
    if (!isLoggedIn) return;
    const unsubscribers = [followSessions(), followCards(), followRequestNotifications(), trackPresence()];
    registerServiceWorker();
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe();
    };
  }, [isLoggedIn]);
  if (!isLoggedIn) return <LoginPage refusal={refusal} />;
  return (
    <Frame>
      <ErrorBoundary resetKey={path}>
        <Suspense fallback={<Loading />}>
          <Page path={path} />
        </Suspense>
      </ErrorBoundary>
    </Frame>
  );
}

function Page({ path }: { readonly path: string }) {
  if (path === "/") return <NowPage />;
  for (const { pattern, View } of PAGES) {
    const values = matchPath(pattern, path);
    if (values !== null) return <View values={values} />;
  }
  return <PageNotFound path={path} />;
}

function Loading() {
  return <p className="muted">{useStrings().app.loading}</p>;
}
