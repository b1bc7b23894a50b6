import { useState } from "react";
import type { DrivenSession } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { Refused } from "../api/client.ts";
import { fill, useWords } from "../words/words.ts";
import { commandTo } from "./command.ts";
import { type Draft, keepDraft, newDraft, readDraft } from "./draft.ts";
import { refusalText } from "./refusal.ts";

/** What is said to the session: joins its turn, begins one, or has it stop first. */
export function Composer({ session }: { readonly session: DrivenSession }) {
  const words = useWords();
  const { steer } = words;
  const { sessionId, state, mode, queuedMessages } = session;
  const [draft, setDraft] = useState<Draft>(() => readDraft(sessionId));
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const isClosed = state === "closed";
  const isBusy = !isClosed && state !== "idle" && state !== "queued";
  const isEmpty = draft.text.trim() === "";
  const change = (next: Draft): void => {
    keepDraft(sessionId, next);
    setDraft(next);
  };
  const say = async (interrupt: boolean): Promise<void> => {
    if (isEmpty || isSending) return;
    setSending(true);
    setTrouble(null);
    const { text, commandId } = draft;
    try {
      if (isClosed) await commandTo(sessionId, "resume", { prompt: text, mode, who: "browser" }, commandId);
      else await commandTo(sessionId, "send", { text, interrupt, who: "browser" }, commandId);
      change(newDraft(""));
    } catch (error) {
      // Refused is an answer: the next try is another message. Without one it is the same again.
      if (error instanceof Refused) change(newDraft(text));
      setTrouble(fill(steer.notSent, { why: refusalText(error, words) }));
    }
    setSending(false);
  };
  const stop = (): void =>
    void commandTo(sessionId, "stop").catch((error: unknown) => setTrouble(refusalText(error, words)));
  const hint = isClosed ? steer.sayResume : state === "queued" ? steer.sayQueued : steer.sayHint;
  return (
    <form
      className="composer panel"
      onSubmit={(event) => {
        event.preventDefault();
        void say(false);
      }}
    >
      {trouble !== null && (
        <p className="trouble" role="alert">
          {visibleText(trouble)}
        </p>
      )}
      <textarea
        aria-label={steer.say}
        placeholder={hint}
        rows={Math.min(10, Math.max(2, draft.text.split("\n").length))}
        value={draft.text}
        data-key="i"
        onChange={(event) => change(newDraft(event.target.value))}
        onKeyDown={(event) => {
          // A syllable that is being composed is not the end of a message.
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void say(event.ctrlKey || event.metaKey);
        }}
      />
      <div className="composer-actions">
        <span className="muted hint">
          {queuedMessages > 0 ? fill(steer.waiting, { n: queuedMessages }) : ""}
        </span>
        {isBusy && (
          <button type="button" className="button danger" disabled={state === "stopping"} onClick={stop}>
            ■ {steer.stop}
          </button>
        )}
        {isBusy && (
          <button
            type="button"
            className="button"
            disabled={isEmpty || isSending}
            title="Ctrl+Enter"
            onClick={() => void say(true)}
          >
            {steer.stopAndSend}
          </button>
        )}
        <button type="submit" className="button primary" disabled={isEmpty || isSending}>
          {isClosed ? steer.resume : steer.send}
        </button>
      </div>
    </form>
  );
}
