import { lazy, Suspense, useEffect, useState } from "react";
import { followCards } from "./api/cards.ts";
import { whenLoggedOut } from "./api/client.ts";
import { followSessions } from "./api/live.ts";
import { NowPage } from "./pages/now.tsx";
import { Frame } from "./shell/frame.tsx";
import { LoginPage } from "./shell/login.tsx";
import { followNotices } from "./shell/notify.ts";
import { matchPath, usePlace } from "./shell/router.ts";
import { useWords } from "./words/words.ts";

/** Only the first page comes with the first load. */
const PAGES: readonly (readonly [
  string,
  React.ComponentType<{ readonly values: Record<string, string> }>,
])[] = [
  ["/sessions", lazy(async () => ({ default: (await import("./pages/sessions.tsx")).SessionsPage }))],
  ["/s/:id", lazy(async () => ({ default: (await import("./pages/session.tsx")).SessionPage }))],
  ["/search", lazy(async () => ({ default: (await import("./pages/search.tsx")).SearchPage }))],
  ["/usage", lazy(async () => ({ default: (await import("./pages/usage.tsx")).UsagePage }))],
  ["/away", lazy(async () => ({ default: (await import("./pages/away.tsx")).AwayPage }))],
  ["/policy", lazy(async () => ({ default: (await import("./pages/policy.tsx")).PolicyPage }))],
  ["/health", lazy(async () => ({ default: (await import("./pages/health.tsx")).HealthPage }))],
  ["/settings", lazy(async () => ({ default: (await import("./pages/settings.tsx")).SettingsPage }))],
  ["/steer", lazy(async () => ({ default: (await import("./pages/steer.tsx")).SteerPage }))],
  [
    "/steer/:id",
    lazy(async () => ({ default: (await import("./pages/steer-session.tsx")).SteerSessionPage })),
  ],
];

export function App({ isIn }: { readonly isIn: boolean }) {
  const [inside, setInside] = useState(isIn);
  useEffect(() => whenLoggedOut(() => setInside(false)), []);
  useEffect(() => {
    if (!inside) return;
    const stops = [followSessions(), followCards(), followNotices()];
    return () => {
      for (const stop of stops) stop();
    };
  }, [inside]);
  if (!inside) return <LoginPage />;
  return (
    <Frame>
      <Suspense fallback={<Wait />}>
        <Page />
      </Suspense>
    </Frame>
  );
}

function Page() {
  const { path } = usePlace();
  const words = useWords();
  if (path === "/") return <NowPage />;
  for (const [pattern, View] of PAGES) {
    const values = matchPath(pattern, path);
    if (values !== null) return <View values={values} />;
  }
  return <h1>{words.pages.unknown}</h1>;
}

function Wait() {
  return <p className="muted">{useWords().app.loading}</p>;
}
