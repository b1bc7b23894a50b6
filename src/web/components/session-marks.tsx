import { useStrings } from "../i18n/strings.ts";
import { KeyHint } from "../session/key-hint.tsx";
import { Icon } from "./icon.tsx";
import { muted, starred, useMark } from "./marks.ts";

/** The user's marks on a session, shown next to its title. */
export function SessionMarkIcons({ sessionId }: { readonly sessionId: string }) {
  const { marks } = useStrings();
  const isStarred = useMark(starred, sessionId);
  const isMuted = useMark(muted, sessionId);
  if (!isStarred && !isMuted) return null;
  return (
    <span className="session-mark-icons">
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

/** Buttons for the same marks, on the session's own page. */
export function MarkButtons({ sessionId }: { readonly sessionId: string }) {
  const { marks } = useStrings();
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
        title={marks.muteHint}
        onClick={() => muted.toggle(sessionId)}
      >
        <Icon name={isMuted ? "muted" : "bell"} />
        {marks.mute} <KeyHint letter="m" />
      </button>
    </>
  );
}
