import { visibleText } from "../../shown/visible-text.ts";
import { SessionRow } from "../components/session-row.tsx";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { useAllSessions } from "./all-sessions.ts";
import { similarIds } from "./similar-ids.ts";
import "../styles/lists.css";

/** Shown for an unknown session id: sessions with a similar id, and links to search. */
export function SessionNotFound({ sessionId }: { readonly sessionId: string }) {
  const { session: strings, notFound, pages } = useStrings();
  const { sessions } = useAllSessions();
  const similar = similarIds(sessionId, sessions.keys()).flatMap((id) => sessions.get(id) ?? []);
  return (
    <section className="nothing">
      <h1>{strings.unknown}</h1>
      <p className="muted">{fill(notFound.session, { id: visibleText(sessionId) })}</p>
      {similar.length > 0 && (
        <div className="similar-sessions">
          <h2>{notFound.similar}</h2>
          <div className="panel rows">
            {similar.map((session) => (
              <SessionRow key={session.sessionId} session={session} />
            ))}
          </div>
        </div>
      )}
      <p className="ways">
        <Link className="button primary" href="/sessions">
          {pages.sessions}
        </Link>
        <Link className="button" href={`/search?q=${encodeURIComponent(sessionId)}`}>
          {notFound.searchFor}
        </Link>
        <Link className="button" href="/">
          {pages.now}
        </Link>
      </p>
    </section>
  );
}
