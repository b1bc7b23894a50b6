import type { Envelope } from "../control/envelope.ts";
import { oneLine, plainChunk } from "../shown/plain-text.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { envelopeLines } from "./envelope-lines.ts";
import type { AttachMessage } from "./follow-session.ts";
import { applyToLiveText, type LiveText, NO_LIVE_TEXT } from "./live-text.ts";
import { note, print, printRaw } from "./output.ts";
import { type Paint, paintFor } from "./paint.ts";
import { fullRequestLines } from "./request-text.ts";
import { AGENT_TEXT_MARK, toHangingRows, toMarkedRows } from "./terminal-rows.ts";
import { terminalWidth } from "./terminal-width.ts";
import { choiceLines, howToAnswer } from "./typed-answer.ts";
import type { WaitingRequest } from "./waiting-requests.ts";

export type ConversationScreen = ReturnType<typeof createConversationScreen>;

interface ShowRequestOptions {
  readonly sessionId: string;
  readonly canAnswer: boolean;
}

/** Results go to stdout, everything else to stderr; on a terminal both share one screen. */
export function createConversationScreen(json: boolean) {
  const isLive = process.stdout.isTTY === true;
  const paint = paintFor(process.stderr);
  const width = (): number =>
    process.stderr.isTTY ? terminalWidth(process.stderr) : Number.POSITIVE_INFINITY;
  const paintRows: Paint = (colour, text) => paint(colour, toHangingRows(text, width()));
  let live: LiveText = NO_LIVE_TEXT;
  /** The column up to which the agent's current row is written. */
  let column = 0;
  /** The request printed last, or null once anything else was printed after it. */
  let lastRequestId: string | null = null;

  const writeLine = (text: string): void => {
    if (column > 0) printRaw("\n");
    column = 0;
    lastRequestId = null;
    note(text);
  };
  const writeAgentText = (message: AttachMessage): void => {
    const update = applyToLiveText(live, message, isLive);
    live = update.live;
    if (update.output === "") return;
    lastRequestId = null;
    if (!isLive) {
      printRaw(update.output);
      return;
    }
    const marked = toMarkedRows(plainChunk(update.output), column, {
      width: terminalWidth(),
      mark: AGENT_TEXT_MARK,
    });
    column = marked.column;
    printRaw(marked.rows);
  };

  return {
    note: (text: string): void => writeLine(toHangingRows(text, width())),
    /** Call when other code is about to print. */
    clearLastRequest(): void {
      lastRequestId = null;
    },
    lastRequestId: (): string | null => lastRequestId,
    /** Call when the cursor is at the start of a row. */
    lineEntered(): void {
      if (process.stdin.isTTY) column = 0;
    },
    showText: (message: AttachMessage): void => {
      if (!json) writeAgentText(message);
    },
    show(message: AttachMessage & { readonly type: "envelope" }): void {
      const { envelope } = message;
      if (json) {
        print(JSON.stringify(envelope));
        lastRequestId = null;
        return;
      }
      writeAgentText(message);
      // When stderr is redirected, only the answer and errors matter.
      if (!process.stderr.isTTY && !isProblem(envelope)) return;
      for (const line of envelopeLines(envelope, paintRows)) writeLine(line);
    },
    showRequest(request: WaitingRequest, { sessionId, canAnswer }: ShowRequestOptions): void {
      const { id, card } = request;
      const answerBy = `hookline answer ${oneLine(id)}`;
      if (card?.status === "lost") {
        writeLine(
          `${visibleLine(card.toolName)} was waiting when the session was lost; run \`${answerBy} again\` to ask again.`,
        );
        return;
      }
      for (const line of fullRequestLines(request, { width: width(), paint })) writeLine(line);
      if (canAnswer) {
        for (const line of choiceLines(card!)) writeLine(toHangingRows(line, width()));
        writeLine(paintRows("bold", `${howToAnswer(card!)}:`));
      } else writeLine(`Session ${oneLine(sessionId)} waits: \`${answerBy} allow\`, or \`deny\`.`);
      lastRequestId = id;
    },
    end(): void {
      if (column > 0) printRaw("\n");
      column = 0;
    },
  };
}

function isProblem(envelope: Envelope): boolean {
  switch (envelope.type) {
    case "decision":
      return envelope.verdict === "deny";
    case "init":
      return envelope.mcp.some(({ status }) => status === "failed");
    default:
      return envelope.type === "error" || envelope.type === "retry";
  }
}
