import { KeyHint } from "../session/key-hint.tsx";
import { useWords } from "../words/words.ts";
import { Icon } from "./icon.tsx";
import { muted, starred, useMark } from "./marks.ts";

/** What a person marked a session with, to be seen beside its title. */
export function SessionSigns({ sessionId }: { readonly sessionId: string }) {
  const { marks } = useWords();
  const isStarred = useMark(starred, sessionId);
  const isMuted = useMark(muted, sessionId);
  if (!isStarred && !isMuted) return null;
  return (
    <span className="session-signs">
      {isStarred && (
        <span role="img" aria-label={marks.starred} title={marks.starred}>
          <Icon name="starred" />
        </span>
      )}
      {isMuted && (
        <span role="img" aria-label={marks.muted} title={marks.muted}>
          <Icon name="muted" />
        </span>
      )}
    </span>
  );
}

/** The same to be set, on the session's own page. */
export function MarkButtons({ sessionId }: { readonly sessionId: string }) {
  const { marks } = useWords();
  const isStarred = useMark(starred, sessionId);
  const isMuted = useMark(muted, sessionId);
  return (
    <>
      <button
        type="button"
        className="button mark-button"
        data-key="s"
        aria-pressed={isStarred}
        onClick={() => starred.toggle(sessionId)}
      >
        <Icon name={isStarred ? "starred" : "star"} />
        {marks.star} <KeyHint letter="s" />
      </button>
      <button
        type="button"
        className="button mark-button"
        data-key="m"
        aria-pressed={isMuted}
        title={marks.muteAbout}
        onClick={() => muted.toggle(sessionId)}
      >
        <Icon name={isMuted ? "muted" : "bell"} />
        {marks.mute} <KeyHint letter="m" />
      </button>
    </>
  );
}
