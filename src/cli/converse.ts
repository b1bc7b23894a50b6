import { createInterface } from "node:readline";
import { Card } from "../control/control-contract.ts";
import type { Envelope } from "../control/envelope.ts";
import type { Home } from "../home.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { answerCard, askControl } from "./ask-control.ts";
import { applyAsked, choiceLines, howToAnswer, isChoice, type Pending, toAnswer } from "./asked.ts";
import { envelopeLines } from "./envelope-lines.ts";
import { type AttachMessage, followSession } from "./follow-session.ts";
import { type LiveText, SILENT, speak } from "./live-text.ts";
import { note, print, printPart } from "./output.ts";
import { paintFor } from "./paint.ts";
import { oneLine, plainPart } from "./plain-text.ts";
import { wholeRequest } from "./request-text.ts";
import { terminalWidth } from "./terminal-width.ts";
import { fromCard, isTooLarge, type WaitingRequest } from "./waiting-requests.ts";

export interface ConverseOptions {
  readonly home: Home;
  readonly sessionId: string;
  /** The client, as others are told who answered. */
  readonly who: string;
  /** Every envelope as a line, and nothing else. */
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** The place from which on it is shown. */
  readonly after?: number;
  readonly isMeant?: (envelope: Envelope) => boolean;
  /** Of stdin, when it is no answer to what waits; without it stdin is read only by a terminal's person. */
  readonly onLine?: (line: string) => Promise<void>;
  /** At the end of stdin. */
  readonly onEnd?: () => void;
  /** After every message. True: it is over. */
  readonly isOver: (message: AttachMessage) => boolean;
}

/** So long a request that took another's place is not answered: what was typed was meant for the other one. */
const TOO_SOON_MS = 1_000;

/** Shows a driven session on this terminal, and lets the person at it answer what is asked. */
export async function converse(options: ConverseOptions): Promise<void> {
  const { home, sessionId, json, signal, after = 0, isMeant = () => true } = options;
  const canAnswer = process.stdin.isTTY || options.onLine !== undefined;
  const screen = createScreen(json);
  const shown = createShown(home, screen, { sessionId, canAnswer, json });
  let asked: readonly Pending[] = [];
  /** A snapshot whose replay has not come to its end. */
  let held: (AttachMessage & { readonly type: "snapshot" }) | null = null;
  let seq = after;
  let isAway = false;

  const catchUp = async (): Promise<void> => {
    if (held === null) return;
    screen.speak(held);
    held = null;
    await shown.announce(asked);
  };
  const takeLine = async (line: string): Promise<void> => {
    const isAsked = asked.some(({ status }) => status === "pending");
    const request = shown.current(asked);
    const isCommand = line.startsWith("/") && (request === null || !isChoice(request.card!, line));
    if (!isAsked || isCommand) return options.onLine?.(line);
    if (line.trim() === "") return;
    if (request === null) return note("A request has just come. Nothing was answered: look, then answer.");
    const typed = toAnswer(request.card!, line);
    if (typed.type === "unclear") return note(`To answer: ${typed.how}.`);
    if (isTooLarge(request) && typed.answer.decision !== "deny")
      return note("It is too large to show, so it can only be denied: d [why].");
    await answerCard(home, request.id, request.parts, { ...typed.answer, who: options.who });
    shown.answered(request.id);
  };

  const lines = canAnswer ? readLines(takeLine, options.onEnd) : null;
  try {
    for await (const message of followSession(home.sock, sessionId, { signal, after })) {
      if (message.type === "down") {
        if (!isAway) screen.note("The daemon is away; waiting for it.");
        isAway = true;
      } else isAway = false;
      asked = applyAsked(asked, message);
      if (message.type === "snapshot") held = message;
      if (message.type === "envelope") {
        seq = Math.max(seq, message.envelope.seq);
        if (!message.isReplay) await catchUp();
        if (isMeant(message.envelope)) screen.show(message);
        if (!message.isReplay) await shown.announce(asked);
      }
      if (held !== null && seq >= held.session.seq) await catchUp();
      if (options.isOver(message)) return;
    }
  } finally {
    lines?.close();
    screen.end();
  }
}

interface ShownOptions {
  readonly sessionId: string;
  readonly canAnswer: boolean;
  readonly json: boolean;
}

/** Which requests were shown here. What is typed answers the one that was shown last, and only while it waits. */
function createShown(home: Home, screen: Screen, { sessionId, canAnswer, json }: ShownOptions) {
  const told = new Set<string>();
  let current: WaitingRequest | null = null;
  let answeredId = "";
  let notBeforeMs = 0;

  const show = async ({ id }: Pending): Promise<void> => {
    const card = await askControl(home, Card, `/cards/${encodeURIComponent(id)}`).catch(() => null);
    if (card === null || card.status === "settled") return;
    told.add(id);
    const request = fromCard(card, null);
    screen.ask(request, { sessionId, canAnswer: canAnswer && !json });
    if (card.status !== "pending") return;
    const isInPlaceOfAnother = current !== null && current.id !== answeredId;
    notBeforeMs = isInPlaceOfAnother ? Date.now() + TOO_SOON_MS : 0;
    current = request;
  };

  return {
    async announce(asked: readonly Pending[]): Promise<void> {
      const first = asked.find(({ status }) => status === "pending");
      for (const one of asked) {
        // One at a time to a person who answers here: it must be clear what a "y" is said to.
        if (told.has(one.id) || (canAnswer && one.status === "pending" && one !== first)) continue;
        await show(one);
      }
    },
    /** Null while it is not clear that it was read. */
    current(asked: readonly Pending[]): WaitingRequest | null {
      const isPending = asked.some(({ id, status }) => id === current?.id && status === "pending");
      return isPending && Date.now() >= notBeforeMs ? current : null;
    },
    answered(id: string): void {
      answeredId = id;
    },
  };
}

type Screen = ReturnType<typeof createScreen>;

/** Results to stdout, everything else to stderr; on a terminal both are one screen. */
function createScreen(json: boolean) {
  const isLive = process.stdout.isTTY === true;
  const paint = paintFor(process.stderr);
  let live: LiveText = SILENT;
  let isMidLine = false;

  const say = (text: string): void => {
    if (isMidLine) printPart("\n");
    isMidLine = false;
    note(text);
  };
  const speakOf = (message: AttachMessage): void => {
    const spoken = speak(live, message, isLive);
    live = spoken.live;
    if (spoken.write === "") return;
    printPart(isLive ? plainPart(spoken.write) : spoken.write);
    isMidLine = isLive && !spoken.write.endsWith("\n");
  };

  return {
    note: say,
    speak: (message: AttachMessage): void => {
      if (!json) speakOf(message);
    },
    show(message: AttachMessage & { readonly type: "envelope" }): void {
      const { envelope } = message;
      if (json) {
        print(JSON.stringify(envelope));
        return;
      }
      speakOf(message);
      // Who reads a file wants the answer, and what went wrong.
      if (!process.stderr.isTTY && !isTrouble(envelope)) return;
      for (const line of envelopeLines(envelope, paint)) say(line);
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
      const width = process.stderr.isTTY ? terminalWidth(process.stderr) : Number.POSITIVE_INFINITY;
      for (const line of wholeRequest(request, { width, paint })) say(line);
      if (canAnswer) {
        for (const line of choiceLines(card!)) say(line);
        say(paint("bold", `${howToAnswer(card!)}:`));
      } else say(`Session ${oneLine(sessionId)} waits: \`${answerBy} allow\`, or \`deny\`.`);
    },
    end(): void {
      if (isMidLine) printPart("\n");
      isMidLine = false;
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

/** One after the other. The terminal itself edits the line, so that what is shown meanwhile does no harm to it. */
function readLines(take: (line: string) => Promise<void>, onEnd?: () => void): { close(): void } {
  const lines = createInterface({ input: process.stdin, terminal: false });
  let done = Promise.resolve();
  let isClosed = false;
  lines.on("line", (line) => {
    if (isClosed) return;
    done = done.then(() => take(line)).catch((error: Error) => note(oneLine(error.message)));
  });
  lines.on("close", () => {
    if (!isClosed) done.then(() => onEnd?.());
  });
  return {
    close() {
      isClosed = true;
      lines.close();
    },
  };
}
