import { useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { useStrings } from "../i18n/strings.ts";
import { refusalText } from "./refusal.ts";
import { sendCommand } from "./send-command.ts";

/** A session that is not driven from here: an ended terminal session can be resumed. */
export function NotDriven({ id }: { readonly id: string }) {
  const strings = useStrings();
  const session = useStore(live).sessions.get(id);
  const [error, setError] = useState<string | null>(null);
  const cwd = session?.cwd ?? session?.projectPath ?? null;
  const resume = async (): Promise<void> => {
    setError(null);
    try {
      await sendCommand(id, "resume", { cwd, who: "browser" });
      location.reload();
    } catch (error) {
      setError(refusalText(error, strings));
    }
  };
  return (
    <div className="not-driven">
      <h1>{strings.pages.session}</h1>
      <p className="muted">{strings.steer.notDriven}</p>
      {cwd !== null && (
        <button type="button" className="button primary" onClick={resume}>
          {strings.steer.resumeHere}
        </button>
      )}
      {error !== null && (
        <p className="error-text" role="alert">
          {visibleText(error)}
        </p>
      )}
    </div>
  );
}
