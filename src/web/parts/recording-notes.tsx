import type { DaemonStatus } from "../../serve/contract.ts";
import { useStore } from "../api/store.ts";
import { CopyButton } from "../session/copy-button.tsx";
import { daemonStatus } from "../shell/use-aside.ts";
import { useWords } from "../words/words.ts";
import { Icon } from "./icon.tsx";
import { pauseWords } from "./pause-words.ts";
import "./recording-notes.css";

/** Why something may be missing on this page: recording is paused, or there are no hooks. */
export function RecordingNotes() {
  const words = useWords();
  const status = useStore(daemonStatus);
  if (status === null) return null;
  const { notes } = words;
  return (
    <>
      {status.pauses.map((pause) => (
        <Note
          key={pause.project ?? ""}
          text={pauseWords(pause, words)}
          how={notes.pausedHow}
          command="hookline pause --end"
        />
      ))}
      {lacksHooks(status) && <Note text={notes.noHooks} how={notes.noHooksHow} command="hookline install" />}
    </>
  );
}

/** Hooks may also be in settings that we do not know of: what they sent lately tells. */
const HOOKS_QUIET_MS = 3_600_000;

/** A home without sessions has the steps of the first run instead. */
function lacksHooks({ hooksInstalled, hooksRemoved, sessions, lastEventPerSource }: DaemonStatus): boolean {
  if (hooksInstalled !== false || sessions === 0) return false;
  if (hooksRemoved) return true;
  const last = Date.parse(lastEventPerSource["hook"] ?? "");
  return !(Date.now() - last < HOOKS_QUIET_MS);
}

function Note({
  text,
  how,
  command,
}: {
  readonly text: string;
  readonly how: string;
  readonly command: string;
}) {
  const { app } = useWords();
  return (
    <p className="recording-note panel" role="status">
      <Icon name="bang" />
      <strong>{text}</strong>
      <span className="how">
        {how} <code>{command}</code>
        <CopyButton text={command} label={app.copy} className="button bare small" />
      </span>
    </p>
  );
}
