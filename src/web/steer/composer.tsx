import { useState } from "react";
import type { DrivenSession } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { ApiError } from "../api/client.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { type Attachment, toImages } from "./attachments.tsx";
import { type Draft, newDraft, readDraft, saveDraft } from "./draft.ts";
import { MessageField } from "./message-field.tsx";
import { refusalText } from "./refusal.ts";
import { sendCommand } from "./send-command.ts";

/** Sends messages to the session: joins its turn, starts one, or stops it first. */
export function Composer({
  session,
  commands,
}: {
  readonly session: DrivenSession;
  /** Slash commands that the session knows. */
  readonly commands: readonly string[];
}) {
  const strings = useStrings();
  const { steer } = strings;
  const { sessionId, state, mode } = session;
  const [draft, setDraft] = useState<Draft>(() => readDraft(sessionId));
  const [images, setImages] = useState<readonly Attachment[]>([]);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isClosed = state === "closed";
  const isEmpty = draft.text.trim() === "";
  const updateDraft = (next: Draft): void => {
    saveDraft(sessionId, next);
    setDraft(next);
  };
  const sendMessage = async (interrupt: boolean): Promise<void> => {
    if (isEmpty || isSending) return;
    setSending(true);
    setError(null);
    const { text, commandId } = draft;
    try {
      const message = { images: toImages(images), who: "browser" };
      if (isClosed) await sendCommand(sessionId, "resume", { prompt: text, mode, ...message }, commandId);
      else await sendCommand(sessionId, "send", { text, interrupt, ...message }, commandId);
      updateDraft(newDraft(""));
      setImages([]);
    } catch (error) {
      // After a refusal, the next try is a new message; without any response, it is a retry of the same one.
      if (error instanceof ApiError) updateDraft(newDraft(text));
      setError(fill(steer.notSent, { why: refusalText(error, strings) }));
    }
    setSending(false);
  };
  const stop = (): void =>
    void sendCommand(sessionId, "stop").catch((error: unknown) => setError(refusalText(error, strings)));
  const hint = isClosed ? steer.resumeHint : state === "queued" ? steer.queuedHint : steer.messageHint;
  return (
    <form
      className="composer panel"
      onSubmit={(event) => {
        event.preventDefault();
        void sendMessage(false);
      }}
    >
      {error !== null && (
        <p className="error-text" role="alert">
          {visibleText(error)}
        </p>
      )}
      <MessageField
        aria-label={steer.message}
        placeholder={hint}
        rows={Math.min(10, Math.max(2, draft.text.split("\n").length))}
        text={draft.text}
        onText={(text) => updateDraft(newDraft(text))}
        images={images}
        onImages={setImages}
        commands={commands}
        filesUrl={`/api/control/sessions/${encodeURIComponent(sessionId)}/files`}
        data-key="i"
        onKeyDown={(event) => {
          // Enter during IME composition does not end a message.
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void sendMessage(event.ctrlKey || event.metaKey);
        }}
      />
      <Actions
        session={session}
        cannotSend={isEmpty || isSending}
        onStop={stop}
        onStopAndSend={() => void sendMessage(true)}
      />
    </form>
  );
}

function Actions({
  session: { state, queuedMessages },
  cannotSend,
  onStop,
  onStopAndSend,
}: {
  readonly session: DrivenSession;
  readonly cannotSend: boolean;
  readonly onStop: () => void;
  readonly onStopAndSend: () => void;
}) {
  const { steer } = useStrings();
  const isBusy = state !== "closed" && state !== "idle" && state !== "queued";
  return (
    <div className="composer-actions">
      <span className="muted hint">
        {queuedMessages > 0 ? fill(steer.unreadMessages, { n: queuedMessages }) : ""}
      </span>
      {isBusy && (
        <>
          <button type="button" className="button danger" disabled={state === "stopping"} onClick={onStop}>
            ■ {steer.stop}
          </button>
          <button
            type="button"
            className="button"
            disabled={cannotSend}
            title="Ctrl+Enter"
            onClick={onStopAndSend}
          >
            {steer.stopAndSend}
          </button>
        </>
      )}
      <button type="submit" className="button primary" disabled={cannotSend}>
        {state === "closed" ? steer.resume : steer.send}
      </button>
    </div>
  );
}
