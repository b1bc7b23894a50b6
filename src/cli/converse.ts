import { createInterface } from "node:readline";
import { Card } from "../control/control-contract.ts";
import type { Envelope } from "../control/envelope.ts";
import type { Home } from "../home.ts";
import { oneLine } from "../shown/plain-text.ts";
import { answerCard, askControl } from "./ask-control.ts";
import { applyAsked, isChoice, type Pending, toAnswer } from "./asked.ts";
import { createScreen, type Screen } from "./conversation-screen.ts";
import { type AttachMessage, followSession } from "./follow-session.ts";
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
/** After so long without other text a covered request is shown again. */
const REST_MS = 1_000;

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
  let restTimer: NodeJS.Timeout | undefined;

  const catchUp = async (): Promise<void> => {
    if (held === null) return;
    screen.speak(held);
    held = null;
    await shown.announce(asked);
  };
  /** Shows the request again once nothing else was printed for a while. */
  const showAfterRest = (): void => {
    clearTimeout(restTimer);
    if (shown.isCovered(asked)) restTimer = setTimeout(() => shown.again(asked), REST_MS);
  };
  /** To a line that was no answer: the request stays the last thing on the screen. */
  const reply = (text: string): void => {
    screen.note(text);
    shown.again(asked, 0);
  };
  const takeLine = async (line: string): Promise<void> => {
    const isAsked = asked.some(({ status }) => status === "pending");
    const request = shown.current(asked);
    const isCommand = line.startsWith("/") && (request === null || !isChoice(request.card!, line));
    if (!isAsked || isCommand) {
      // What a command prints comes after the request.
      if (isAsked) screen.cover();
      return options.onLine?.(line);
    }
    if (line.trim() === "") return;
    if (shown.isCovered(asked)) {
      screen.note("Other text came in between; here is the request again. Nothing was answered.");
      return shown.again(asked);
    }
    if (request === null) return reply("A request has just come. Nothing was answered: look, then answer.");
    const typed = toAnswer(request.card!, line);
    if (typed.type === "unclear") return reply(`To answer: ${typed.how}.`);
    if (isTooLarge(request) && typed.answer.decision !== "deny")
      return reply("It is too large to show, so it can only be denied: d [why].");
    await answerCard(home, request.id, request.parts, { ...typed.answer, who: options.who });
    shown.answered(request.id);
  };

  const lines = canAnswer
    ? readLines({
        onEnter: screen.entered,
        take: (line) =>
          takeLine(line)
            .catch((error: Error) => screen.note(oneLine(error.message)))
            .finally(showAfterRest),
        onEnd: options.onEnd,
      })
    : null;
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
      showAfterRest();
    }
  } finally {
    clearTimeout(restTimer);
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

  const isPending = (asked: readonly Pending[]): boolean =>
    asked.some(({ id, status }) => id === current?.id && status === "pending");
  const isCovered = (asked: readonly Pending[]): boolean =>
    canAnswer && isPending(asked) && screen.lastAsked() !== current?.id;

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
      return isPending(asked) && Date.now() >= notBeforeMs ? current : null;
    },
    /** Whether something else was printed after the request that waits: what is typed may be meant for that. */
    isCovered,
    /** Prints the covered request once more, and for so long takes no answer to it. */
    again(asked: readonly Pending[], notForMs = TOO_SOON_MS): void {
      if (!isCovered(asked)) return;
      screen.ask(current!, { sessionId, canAnswer: !json });
      notBeforeMs = Math.max(notBeforeMs, Date.now() + notForMs);
    },
    answered(id: string): void {
      answeredId = id;
    },
  };
}

interface LineReader {
  /** At once, whatever is still being taken. */
  readonly onEnter: () => void;
  readonly take: (line: string) => Promise<void>;
  readonly onEnd: (() => void) | undefined;
}

/** One after the other. The terminal itself edits the line, so that what is shown meanwhile does no harm to it. */
function readLines({ onEnter, take, onEnd }: LineReader): { close(): void } {
  const lines = createInterface({ input: process.stdin, terminal: false });
  let done = Promise.resolve();
  let isClosed = false;
  lines.on("line", (line) => {
    if (isClosed) return;
    onEnter();
    done = done.then(() => take(line));
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
