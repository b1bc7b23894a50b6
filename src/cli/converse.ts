import { createInterface } from "node:readline";
import type { Envelope } from "../control/envelope.ts";
import type { Home } from "../home.ts";
import { tellSession } from "./ask-control.ts";
import { type Asked, applyAsked, askedLines, howToAnswer, toAnswer } from "./asked.ts";
import { envelopeLines } from "./envelope-lines.ts";
import { type AttachMessage, followSession } from "./follow-session.ts";
import { type LiveText, SILENT, speak } from "./live-text.ts";
import { note, print, printPart } from "./output.ts";
import { paintFor } from "./paint.ts";
import { oneLine, plainPart } from "./plain-text.ts";

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

/** Shows a driven session on this terminal, and lets the person at it answer what is asked. */
export async function converse(options: ConverseOptions): Promise<void> {
  const { home, sessionId, json, signal, after = 0, isMeant = () => true } = options;
  const canAnswer = process.stdin.isTTY || options.onLine !== undefined;
  const screen = createScreen(json);
  const told = new Set<string>();
  let asked: readonly Asked[] = [];
  /** A snapshot whose replay has not come to its end. */
  let held: (AttachMessage & { readonly type: "snapshot" }) | null = null;
  let seq = after;
  let isAway = false;

  const announce = (): void => {
    const first = firstPending(asked);
    for (const one of asked) {
      // One at a time to who answers here: it must be clear what a "y" is said to.
      if (told.has(one.id) || (canAnswer && one.status === "pending" && one !== first)) continue;
      told.add(one.id);
      screen.ask(one, sessionId, canAnswer && !json);
    }
  };
  const catchUp = (): void => {
    if (held === null) return;
    screen.speak(held);
    held = null;
    announce();
  };
  const takeLine = async (line: string): Promise<void> => {
    const first = firstPending(asked);
    if (first === undefined || line.startsWith("/")) return options.onLine?.(line);
    if (line.trim() === "") return;
    const typed = toAnswer(first, line);
    if (typed.type === "unclear") return note(`To answer: ${typed.how}.`);
    const path = `answer/${encodeURIComponent(first.id)}`;
    await tellSession(home, sessionId, path, { ...typed.answer, who: options.who });
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
        if (!message.isReplay) catchUp();
        if (isMeant(message.envelope)) screen.show(message);
        if (!message.isReplay) announce();
      }
      if (held !== null && seq >= held.session.seq) catchUp();
      if (options.isOver(message)) return;
    }
  } finally {
    lines?.close();
    screen.end();
  }
}

function firstPending(asked: readonly Asked[]): Asked | undefined {
  return asked.find(({ status }) => status === "pending");
}

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
    ask(asked: Asked, sessionId: string, canAnswer: boolean): void {
      const answerBy = `hookline answer ${oneLine(asked.id)}`;
      if (asked.status === "lost") {
        say(
          `${oneLine(asked.toolName)} was asked when the session was lost: \`${answerBy} again\` asks again.`,
        );
        return;
      }
      for (const line of askedLines(asked, paint)) say(line);
      if (canAnswer) say(paint("bold", `${howToAnswer(asked)}:`));
      else say(`Session ${oneLine(sessionId)} waits: \`${answerBy} allow\`, or \`deny\`.`);
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
