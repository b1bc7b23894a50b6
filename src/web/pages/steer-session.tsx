import { useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { cards } from "../api/cards.ts";
import { useReportViewing } from "../api/report-viewing.ts";
import { useStore } from "../api/store.ts";
import type { ChatEntry } from "../conversation/entry.ts";
import { useStrings } from "../i18n/strings.ts";
import { useRoute } from "../shell/router.ts";
import { ChatHead } from "../steer/chat-head.tsx";
import { ChatLog } from "../steer/chat-log.tsx";
import { Composer } from "../steer/composer.tsx";
import { NotDriven } from "../steer/not-driven.tsx";
import { useConversation } from "../steer/use-conversation.ts";
import "../steer/chat.css";

/** One driven session: its output live, its requests, and the messages sent to it. */
export function SteerSessionPage({ values }: { readonly values: Record<string, string> }) {
  const id = values["id"] ?? "";
  return <Chat key={id} id={id} />;
}

/** As the agent last reported them. */
function commandsOf(entries: readonly ChatEntry[]): readonly string[] {
  const init = entries.findLast((entry) => entry.type === "notice" && entry.envelope.type === "init");
  return init?.type === "notice" && init.envelope.type === "init" ? (init.envelope.commands ?? []) : [];
}

function Chat({ id }: { readonly id: string }) {
  const strings = useStrings();
  const { conversation, connection } = useConversation(id);
  const [error, setError] = useState<string | null>(null);
  const { session, entries, partial } = conversation;
  const forkedFrom = useRoute().query.get("from");
  const requests = useStore(cards).filter(({ sessionId }) => sessionId === id);
  useReportViewing(
    id,
    requests.map((card) => card.id),
  );
  if (connection === "unknown") return <NotDriven id={id} />;
  if (session === null) return <p className="muted">{strings.app.loading}</p>;
  return (
    <div className="steer-chat">
      <ChatHead session={session} onError={setError} />
      <ChatLog
        entries={entries}
        partial={partial}
        state={session.state}
        folder={session.cwd}
        forkedFrom={forkedFrom}
      />
      <footer className="chat-foot">
        {connection === "lost" && (
          <p className="chat-bar" role="status">
            ✕ {strings.steer.notConnected}
          </p>
        )}
        {error !== null && (
          <p className="chat-bar error-text" role="alert">
            {visibleText(error)}
            <button type="button" className="button bare" onClick={() => setError(null)}>
              {strings.app.close}
            </button>
          </p>
        )}
        <Composer session={session} commands={commandsOf(entries)} />
      </footer>
    </div>
  );
}
