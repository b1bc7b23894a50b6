import { useState } from "react";
import type { DrivenSession } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { titleOf } from "../components/session-status.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { useAllSessions } from "../sessions/all-sessions.ts";
import { Link } from "../shell/link.tsx";
import { go } from "../shell/router.ts";
import { DrivenBadge } from "./driven-badge.tsx";
import { drivenCostText } from "./driven-cost.ts";
import { ModelPicker, ModePicker } from "./pickers.tsx";
import { refusalText } from "./refusal.ts";
import { sendCommand } from "./send-command.ts";

/** The session's title, status and cost, with all actions besides messages. */
export function ChatHead({
  session,
  onError,
}: {
  readonly session: DrivenSession;
  readonly onError: (message: string | null) => void;
}) {
  const strings = useStrings();
  const { steer } = strings;
  const [isBusy, setBusy] = useState(false);
  const { sessionId, state, mode, model, cwd, projectPath, maxBudgetUsd } = session;
  const watched = useStore(live).sessions.get(sessionId);
  const allSessions = useAllSessions().sessions;
  const snapshot = watched ?? allSessions.get(sessionId);
  const isClosed = state === "closed";
  const runCommand = async (command: string, body: object = {}): Promise<DrivenSession | null> => {
    onError(null);
    setBusy(true);
    try {
      return await sendCommand<DrivenSession>(sessionId, command, body);
    } catch (error) {
      onError(refusalText(error, strings));
      return null;
    } finally {
      setBusy(false);
    }
  };
  const fork = async (): Promise<void> => {
    const forked = await runCommand("fork", { mode, who: "browser" });
    if (forked !== null) go(`/steer/${forked.sessionId}?from=${sessionId}`);
  };
  const costText = drivenCostText(session, snapshot);
  const cost =
    maxBudgetUsd === null
      ? costText
      : fill(steer.budgetOf, { cost: costText, budget: budgetText(maxBudgetUsd) });
  return (
    <header className="chat-head">
      <div className="chat-title">
        <Link href="/steer" className="back" aria-label={strings.pages.steer}>
          ‹
        </Link>
        <h1 className="cut">
          {visibleText(snapshot === undefined ? sessionId.slice(0, 8) : titleOf(snapshot))}
        </h1>
        <DrivenBadge state={state} />
        <span className="number cost" title={visibleText(daemonText(session.billing ?? ""))}>
          {cost}
        </span>
      </div>
      <div className="chat-tools">
        <Link
          href={`/s/${encodeURIComponent(sessionId)}`}
          className="muted cut where"
          title={visibleText(cwd)}
        >
          {visibleText(baseName(projectPath ?? cwd))}
        </Link>
        <fieldset className="chat-controls" disabled={isBusy}>
          <legend className="sr-only">{strings.pages.session}</legend>
          {!isClosed && (
            <>
              <ModePicker
                mode={mode}
                onPick={(value) => void runCommand("mode", { mode: value, who: "browser" })}
              />
              <ModelPicker
                model={model ?? ""}
                onPick={(value) => void runCommand("model", { model: value })}
              />
            </>
          )}
          <button type="button" className="button" onClick={fork}>
            {steer.fork}
          </button>
          {isClosed ? (
            <button
              type="button"
              className="button"
              onClick={() => void runCommand("resume", { mode, who: "browser" })}
            >
              {steer.resume}
            </button>
          ) : (
            <button type="button" className="button danger" onClick={() => void runCommand("close")}>
              {steer.close}
            </button>
          )}
        </fieldset>
      </div>
    </header>
  );
}

/** Keeps all digits, because the user entered them. */
function budgetText(usd: number): string {
  const text = usd.toFixed(2);
  return `$${Number(text) === usd ? text : usd}`;
}
