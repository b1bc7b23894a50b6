import type { SessionRow, WaitRow } from "../store/session-rows.ts";
import { waitIntervalOf, waitsOf } from "./read-waits.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import type { SessionView } from "./session-view.ts";

/** The session's row for lists. */
export function toSessionRow(snapshot: SessionSnapshot, view: SessionView | undefined): SessionRow {
  const { sessionId, projectPath } = snapshot;
  const texts = [snapshot.title, snapshot.lastUserMessage, projectPath, snapshot.gitBranch];
  return {
    sessionId,
    lastEventIso: snapshot.lastEventAtIso,
    state: snapshot.state,
    needsPerson: snapshot.needsPerson,
    provider: snapshot.provider,
    projectPath,
    searchText: texts.filter(Boolean).join("\n").toLowerCase(),
    json: JSON.stringify(snapshot),
    waits: view === undefined || snapshot.attended === false ? [] : waitRows(view, snapshot),
  };
}

function waitRows(view: SessionView, { projectPath, endedAtIso }: SessionSnapshot): WaitRow[] {
  return waitsOf(view).map((wait) => ({
    sessionId: view.sessionId,
    waitId: wait.id,
    kind: wait.kind,
    projectPath,
    text: wait.text,
    ...waitIntervalOf(view, wait, endedAtIso),
  }));
}
