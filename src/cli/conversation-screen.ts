import type { Envelope } from "../control/envelope.ts";
import { oneLine, plainPart } from "../shown/plain-text.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { choiceLines, howToAnswer } from "./asked.ts";
import { envelopeLines } from "./envelope-lines.ts";
import type { AttachMessage } from "./follow-session.ts";
import { type LiveText, SILENT, speak } from "./live-text.ts";
import { note, print, printPart } from "./output.ts";
import { type Paint, paintFor } from "./paint.ts";
import { wholeRequest } from "./request-text.ts";
import { toHangingRows, toRows, WORDS_MARK } from "./terminal-rows.ts";
import { terminalWidth } from "./terminal-width.ts";
import type { WaitingRequest } from "./waiting-requests.ts";

export type Screen = ReturnType<typeof createScreen>;

/** Results to stdout, everything else to stderr; on a terminal both are one screen. */
export function createScreen(json: boolean) {
  const isLive = process.stdout.isTTY === true;
  const paint = paintFor(process.stderr);
  const width = (): number =>
    process.stderr.isTTY ? terminalWidth(process.stderr) : Number.POSITIVE_INFINITY;
  const paintRows: Paint = (colour, text) => paint(colour, toHangingRows(text, width()));
  let live: LiveText = SILENT;
  /** How far the row of the agent's words under way is written. */
  let column = 0;
  /** The request that was printed, while nothing was printed after it. */
  let lastAsked: string | null = null;

  const say = (text: string): void => {
    if (column > 0) printPart("\n");
    column = 0;
    lastAsked = null;
    note(text);
  };
  const speakOf = (message: AttachMessage): void => {
    const spoken = speak(live, message, isLive);
    live = spoken.live;
    if (spoken.write === "") return;
    lastAsked = null;
    if (!isLive) {
      printPart(spoken.write);
      return;
    }
    const marked = toRows(plainPart(spoken.write), column, { width: terminalWidth(), mark: WORDS_MARK });
    column = marked.column;
    printPart(marked.rows);
  };

  return {
    note: (text: string): void => say(toHangingRows(text, width())),
    /** Something else prints now. */
    cover(): void {
      lastAsked = null;
    },
    lastAsked: (): string | null => lastAsked,
    /** The terminal is at the beginning of a row. */
    entered(): void {
      if (process.stdin.isTTY) column = 0;
    },
    speak: (message: AttachMessage): void => {
      if (!json) speakOf(message);
    },
    show(message: AttachMessage & { readonly type: "envelope" }): void {
      const { envelope } = message;
      if (json) {
        print(JSON.stringify(envelope));
        lastAsked = null;
        return;
      }
      speakOf(message);
      // Who reads a file wants the answer, and what went wrong.
      if (!process.stderr.isTTY && !isTrouble(envelope)) return;
      for (const line of envelopeLines(envelope, paintRows)) say(line);
    },
    ask(request: WaitingRequest, { sessionId, canAnswer }: { sessionId: string; canAnswer: boolean }): void {
      const { id, card } = request;
      const answerBy = `hookline answer ${oneLine(id)}`;
      if (card?.status === "lost") {
        say(
          `${visibleLine(card.toolName)} was asked when the session was lost: \`${answerBy} again\` asks again.`,
        );
        return;
      }
      for (const line of wholeRequest(request, { width: width(), paint })) say(line);
      if (canAnswer) {
        for (const line of choiceLines(card!)) say(toHangingRows(line, width()));
        say(paintRows("bold", `${howToAnswer(card!)}:`));
      } else say(`Session ${oneLine(sessionId)} waits: \`${answerBy} allow\`, or \`deny\`.`);
      lastAsked = id;
    },
    end(): void {
      if (column > 0) printPart("\n");
      column = 0;
    },
  };
}

function isTrouble(envelope: Envelope): boolean {
  switch (envelope.type) {
    case "decision":
      return envelope.verdict === "deny";
    case "init":
      return envelope.mcp.some(({ status }) => status === "failed");
    default:
      return envelope.type === "error" || envelope.type === "retry";
  }
}
