import type { DaemonStatus } from "../../serve/contract.ts";
import { useStore } from "../api/store.ts";
import { useStrings } from "../i18n/strings.ts";
import { CopyButton } from "../session/copy-button.tsx";
import { daemonStatus } from "../shell/use-daemon-summary.ts";
import { Icon } from "./icon.tsx";
import { pauseText } from "./pause-text.ts";
import "./recording-notes.css";

/** Why data may be missing on this page: recording is paused, or there are no hooks. */
export function RecordingNotes() {
  const strings = useStrings();
  const status = useStore(daemonStatus);
  if (status === null) return null;
  const { notes } = strings;
  return (
    <>
      {status.pauses.map((pause) => (
        <Note
          key={pause.project ?? ""}
          text={pauseText(pause, strings)}
          hint={notes.resumeHint}
          command="hookline pause --end"
        />
      ))}
      {isMissingHooks(status) && (
        <Note text={notes.noHooks} hint={notes.installHint} command="hookline install" />
      )}
    </>
  );
}

/** Hooks may be installed in settings we don't know; recent hook events prove it. */
const HOOKS_QUIET_MS = 3_600_000;

/** A home without sessions shows the first-run steps instead. */
function isMissingHooks({
  hooksInstalled,
  hooksRemoved,
  sessions,
  lastEventPerSource,
}: DaemonStatus): boolean {
  if (hooksInstalled !== false || sessions === 0) return false;
  if (hooksRemoved) return true;
  const last = Date.parse(lastEventPerSource["hook"] ?? "");
  return !(Date.now() - last < HOOKS_QUIET_MS);
}

function Note({
  text,
  hint,
  command,
}: {
  readonly text: string;
  readonly hint: string;
  readonly command: string;
}) {
  const { app } = useStrings();
  return (
    <p className="recording-note panel" role="status">
      <Icon name="bang" />
      <strong>{text}</strong>
      <span className="how">
        {hint} <code>{command}</code>
        <CopyButton text={command} label={app.copy} className="button bare small" />
      </span>
    </p>
  );
}
