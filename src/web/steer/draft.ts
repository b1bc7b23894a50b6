/**
 * A message being written to a session, kept across a reload. A message that was sent but not answered keeps
 * its command id: sending it again is a retry.
 */
export interface Draft {
  readonly text: string;
  readonly commandId: string;
}

export function readDraft(sessionId: string): Draft {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(sessionId)) ?? "null") as Draft | null;
    if (stored !== null) return stored;
  } catch {
    // An unreadable draft counts as none.
  }
  return newDraft("");
}

export function newDraft(text: string): Draft {
  return { text, commandId: crypto.randomUUID() };
}

export function saveDraft(sessionId: string, draft: Draft): void {
  if (draft.text === "") sessionStorage.removeItem(keyOf(sessionId));
  else sessionStorage.setItem(keyOf(sessionId), JSON.stringify(draft));
}

function keyOf(sessionId: string): string {
  return `hookline.draft.${sessionId}`;
}
