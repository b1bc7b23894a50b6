import { useEffect, useMemo } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { ApiError } from "../api/client.ts";
import { lastValue } from "../api/use-fetch.ts";
import { Tabs } from "../components/tabs.tsx";
import { fill, useStrings } from "../i18n/strings.ts";
import { Cost } from "../session/cost.tsx";
import { Files } from "../session/files.tsx";
import { InjectedContext } from "../session/injected-context.tsx";
import { Raw } from "../session/raw.tsx";
import { SessionHeader } from "../session/session-header.tsx";
import { readStory } from "../session/story.ts";
import { Timeline } from "../session/timeline.tsx";
import { Transcript } from "../session/transcript.tsx";
import { useEvents } from "../session/use-events.ts";
import { useSession } from "../session/use-session.ts";
import { SessionNotFound } from "../sessions/session-not-found.tsx";
import { go, useRoute } from "../shell/router.ts";
import "./session.css";

const TABS = ["timeline", "transcript", "files", "cost", "given", "raw"] as const;

/** One session: what it is, and everything that happened in it. */
export function SessionPage({ values }: { readonly values: Record<string, string> }) {
  return <Session key={values["id"]} sessionId={values["id"]!} />;
}

function Session({ sessionId }: { readonly sessionId: string }) {
  const strings = useStrings();
  const { query } = useRoute();
  const tab = TABS.find((name) => name === query.get("tab")) ?? "transcript";
  // Events first: they load immediately, while the detail of a long session takes a while.
  const { events, isComplete, error } = useEvents(sessionId);
  const { response, detail, session } = useSession(sessionId);
  const fullId = lastValue(response)?.session.sessionId ?? sessionId;
  useEffect(() => {
    // The server also accepts an id prefix, as printed in lists.
    if (fullId !== sessionId && fullId.startsWith(sessionId))
      go(`/s/${encodeURIComponent(fullId)}${window.location.search}`, "replace");
  }, [fullId, sessionId]);
  const isLive = session !== null && session.endedAtIso === null && session.state !== "lost";
  const story = useMemo(() => readStory(events, isLive), [events, isLive]);
  const basePath = `/s/${encodeURIComponent(sessionId)}`;
  const openEntry = (key: string): void => go(`${basePath}?tab=transcript&at=${encodeURIComponent(key)}`);
  const openCall = (key: string): void => {
    // A subagent's entries are under the call that started it.
    const outer = story.entries.find(
      (entry) => entry.type === "call" && entry.inner.some((inner) => inner.key === key),
    );
    openEntry(outer?.key ?? key);
  };
  const openTurn = (promptId: string): void => {
    const prompt = story.entries.find((entry) => entry.type === "prompt" && entry.promptId === promptId);
    if (prompt !== undefined) openEntry(prompt.key);
  };
  if (session === null && response.type === "failed")
    return response.error instanceof ApiError && response.error.status === 404 ? (
      <SessionNotFound sessionId={sessionId} />
    ) : (
      <p role="alert">{fill(strings.app.failed, { why: visibleText(response.error.message) })}</p>
    );
  if (session === null && events.length === 0) return <p className="muted">{strings.app.loading}</p>;
  return (
    <div className="session-page">
      {session === null ? (
        <p className="muted awaited">{strings.app.loading}</p>
      ) : (
        <SessionHeader session={session} detail={detail} />
      )}
      <Tabs
        label={strings.session.tabs}
        tabs={TABS.map((key) => [key, strings.session.tab[key]])}
        current={tab}
        hrefOf={(key) => `${basePath}?tab=${key}`}
        panel="session-panel"
      />
      {error !== null && <p role="alert">{fill(strings.app.failed, { why: visibleText(error.message) })}</p>}
      <div id="session-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "timeline" && (
          <Timeline story={story} detail={detail} isLive={isLive} isComplete={isComplete} onOpen={openCall} />
        )}
        {tab === "transcript" && (
          <Transcript
            story={story}
            detail={detail}
            isComplete={isComplete}
            isLive={isLive}
            startKey={query.get("at")}
          />
        )}
        {tab === "files" && (
          <Files story={story} folder={session?.cwd ?? null} isComplete={isComplete} onOpen={openCall} />
        )}
        {tab === "cost" && detail !== null && <Cost detail={detail} onOpen={openTurn} />}
        {tab === "given" && <InjectedContext sessionId={sessionId} />}
        {tab === "raw" && <Raw events={events} isComplete={isComplete} />}
      </div>
    </div>
  );
}
