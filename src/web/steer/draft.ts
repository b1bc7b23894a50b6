/**
 * What is being written to a session, kept over a reload. A message that went out and was not answered keeps its
 * command: sent again, it is the same message.
 */
export interface Draft {
  readonly text: string;
  readonly commandId: string;
}

export function readDraft(sessionId: string): Draft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(sessionId)) ?? "null") as Draft | null;
    if (kept !== null) return kept;
  } catch {
    // What cannot be read is as good as nothing.
  }
  return newDraft("");
}

export function newDraft(text: string): Draft {
  return { text, commandId: crypto.randomUUID() };
}

export function keepDraft(sessionId: string, draft: Draft): void {
  if (draft.text === "") sessionStorage.removeItem(keyOf(sessionId));
  else sessionStorage.setItem(keyOf(sessionId), JSON.stringify(draft));
}

function keyOf(sessionId: string): string {
  return `hookline.draft.${sessionId}`;
}
