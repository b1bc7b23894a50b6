import { createKeyedQueue } from "../serial-queue.ts";
import { type AskAgainParts, answerRequest, askRequestAgain } from "./answer-requests.ts";
import type { DrivenSession } from "./control-contract.ts";
import type { DrivenSessions } from "./control-ports.ts";
import { findOpenSession, findSession } from "./find-session.ts";
import { createIdempotentCommands } from "./idempotent-commands.ts";
import type { LiveSession } from "./live-session.ts";
import { requestKey } from "./lost-cards.ts";
import { closeSession, sendMessage } from "./session-actions.ts";

type DrivenCommands = Pick<
  DrivenSessions,
  "start" | "send" | "stop" | "close" | "setMode" | "setModel" | "rewind" | "answer" | "askAgain"
>;

/** Commands that change a session, each run once per command id. */
export function createDrivenCommands(parts: AskAgainParts): DrivenCommands {
  const commands = createIdempotentCommands();
  const runSequentially = createKeyedQueue();
  /** Runs a command on a live session immediately. */
  const runOnSession = (
    kind: string,
    sessionId: string,
    commandId: string | undefined,
    action: (session: LiveSession) => void,
  ): Promise<DrivenSession> =>
    commands.once(`${kind} ${sessionId}`, commandId, async () => {
      const session = await findOpenSession(parts, sessionId);
      action(session);
      return session.toSession();
    });
  return {
    start: (request) => commands.once("start", request.commandId, () => parts.start(request)),
    send: (sessionId, request) =>
      commands.once(`send ${sessionId}`, request.commandId, async () =>
        sendMessage(await findOpenSession(parts, sessionId), request),
      ),
    stop: (sessionId, commandId) =>
      runOnSession("stop", sessionId, commandId, ({ driver }) => driver.dispatch({ type: "stop" })),
    close: (sessionId, commandId) =>
      commands.once(`close ${sessionId}`, commandId, async () =>
        closeSession(await findSession(parts, sessionId), "closed by you"),
      ),
    setMode: (sessionId, mode, who, commandId) =>
      runOnSession("mode", sessionId, commandId, ({ driver }) =>
        driver.dispatch({ type: "mode", mode, by: who }),
      ),
    setModel: (sessionId, model, commandId) =>
      runOnSession("model", sessionId, commandId, ({ driver }) => driver.dispatch({ type: "model", model })),
    rewind: (sessionId, { commandId, messageId, dryRun }) =>
      commands.once(`rewind ${sessionId}`, commandId, async () =>
        (await findOpenSession(parts, sessionId)).driver.rewind(messageId, dryRun),
      ),
    answer: (sessionId, requestId, answer) =>
      commands.once(`answer ${requestKey(sessionId, requestId)}`, answer.commandId, async () =>
        answerRequest(parts, sessionId, requestId, answer),
      ),
    askAgain: (sessionId, requestId, request) =>
      commands.once(`again ${requestKey(sessionId, requestId)}`, request.commandId, () =>
        // Serialized: the second of two concurrent calls sees what the first did.
        runSequentially(requestKey(sessionId, requestId), () =>
          askRequestAgain(parts, sessionId, requestId, request),
        ),
      ),
  };
}
