import { createInterface } from "node:readline";
import { Card } from "../control/control-contract.ts";
import type { Envelope } from "../control/envelope.ts";
import type { Home } from "../home.ts";
import { oneLine } from "../shown/plain-text.ts";
import { answerCard, askControl } from "./control-client.ts";
import { type ConversationScreen, createConversationScreen } from "./conversation-screen.ts";
import { type AttachMessage, followSession } from "./follow-session.ts";
import { applyToPending, isChoice, type PendingRequest, toAnswer } from "./typed-answer.ts";
import { fromCard, isTooLarge, type WaitingRequest } from "./waiting-requests.ts";

export interface ConverseOptions {
  readonly home: Home;
  readonly sessionId: string;
  /** The client's name, shown to others as the one who answered. */
  readonly who: string;
  /** Prints every envelope as a line, and nothing else. */
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** The position after which envelopes are shown. */
  readonly after?: number;
  readonly isShown?: (envelope: Envelope) => boolean;
  /** Handles stdin lines that don't answer a request; without it, stdin is read only on a terminal. */
  readonly onLine?: (line: string) => Promise<void>;
  /** Called at the end of stdin. */
  readonly onEnd?: () => void;
  /** Called after every message; true ends the conversation. */
  readonly isOver: (message: AttachMessage) => boolean;
}

/** How long a request that replaced another can't be answered: the input was intended for the other one. */
const TOO_SOON_MS = 1_000;
/** How long no other text must appear before a covered request is shown again. */
const QUIET_MS = 1_000;

/** Shows a driven session on this terminal and lets the user answer its requests. */
export async function converse(options: ConverseOptions): Promise<void> {
  const { home, sessionId, json, signal, after = 0, isShown = () => true } = options;
  const canAnswer = process.stdin.isTTY || options.onLine !== undefined;
  const screen = createConversationScreen(json);
  const shown = createRequestDisplay(home, screen, { sessionId, canAnswer, json });
  let asked: readonly PendingRequest[] = [];
  /** A snapshot whose replay is not complete yet. */
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
  /** Shows the request again once nothing else has been printed for a while. */
  const showAfterRest = (): void => {
    clearTimeout(restTimer);
    if (shown.isCovered(asked)) restTimer = setTimeout(() => shown.again(asked), QUIET_MS);
  };
  /** Replies to a line that was not an answer, keeping the request last on the screen. */
  const reply = (text: string): void => {
    screen.note(text);
    shown.again(asked, 0);
  };
  const takeLine = async (line: string): Promise<void> => {
    const isAsked = asked.some(({ status }) => status === "pending");
    const request = shown.current(asked);
    const isCommand = line.startsWith("/") && (request === null || !isChoice(request.card!, line));
    if (!isAsked || isCommand) {
      // The command's output comes after the request.
      if (isAsked) screen.cover();
      return options.onLine?.(line);
    }
    if (line.trim() === "") return;
    if (shown.isCovered(asked)) {
      screen.note("Other output came in between, so nothing was answered. Here is the request again.");
      return shown.again(asked);
    }
    if (request === null)
      return reply("A new request arrived, so nothing was answered. Review it, then answer.");
    const typed = toAnswer(request.card!, line);
    if (typed.type === "unclear") return reply(`To answer: ${typed.how}.`);
    if (isTooLarge(request) && typed.answer.decision !== "deny")
      return reply("This request is too large to show, so it can only be denied: d [reason].");
    await answerCard(home, request.id, request.parts, { ...typed.answer, who: options.who });
    shown.answered(request.id);
  };

  const lines = canAnswer
    ? readLines({
        onEnter: screen.entered,
        onLine: (line) =>
          takeLine(line)
            .catch((error: Error) => screen.note(oneLine(error.message)))
            .finally(showAfterRest),
        onEnd: options.onEnd,
      })
    : null;
  try {
    for await (const message of followSession(home.sock, sessionId, { signal, after })) {
      if (message.type === "down") {
        if (!isAway) screen.note("Lost the daemon; reconnecting…");
        isAway = true;
      } else isAway = false;
      asked = applyToPending(asked, message);
      if (message.type === "snapshot") held = message;
      if (message.type === "envelope") {
        seq = Math.max(seq, message.envelope.seq);
        if (!message.isReplay) await catchUp();
        if (isShown(message.envelope)) screen.show(message);
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

interface RequestDisplayOptions {
  readonly sessionId: string;
  readonly canAnswer: boolean;
  readonly json: boolean;
}

/** Tracks the requests shown here. Input answers the one shown last, and only while it is pending. */
function createRequestDisplay(
  home: Home,
  screen: ConversationScreen,
  { sessionId, canAnswer, json }: RequestDisplayOptions,
) {
  const told = new Set<string>();
  let current: WaitingRequest | null = null;
  let answeredId = "";
  let notBeforeMs = 0;

  const isPending = (asked: readonly PendingRequest[]): boolean =>
    asked.some(({ id, status }) => id === current?.id && status === "pending");
  const isCovered = (asked: readonly PendingRequest[]): boolean =>
    canAnswer && isPending(asked) && screen.lastAsked() !== current?.id;

  const show = async ({ id }: PendingRequest): Promise<void> => {
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
    async announce(asked: readonly PendingRequest[]): Promise<void> {
      const first = asked.find(({ status }) => status === "pending");
      for (const one of asked) {
        // One at a time when the user can answer here: it must be clear which request a "y" answers.
        if (told.has(one.id) || (canAnswer && one.status === "pending" && one !== first)) continue;
        await show(one);
      }
    },
    /** Null while the user may not have read the request yet. */
    current(asked: readonly PendingRequest[]): WaitingRequest | null {
      return isPending(asked) && Date.now() >= notBeforeMs ? current : null;
    },
    /** Whether other text was printed after the pending request: the input may be a reply to that text. */
    isCovered,
    /** Prints the covered request again, and accepts no answer to it for `notForMs`. */
    again(asked: readonly PendingRequest[], notForMs = TOO_SOON_MS): void {
      if (!isCovered(asked)) return;
      screen.ask(current!, { sessionId, canAnswer: !json });
      notBeforeMs = Math.max(notBeforeMs, Date.now() + notForMs);
    },
    answered(id: string): void {
      answeredId = id;
    },
  };
}

interface LineHandlers {
  /** Called immediately, even while an earlier line is still being handled. */
  readonly onEnter: () => void;
  readonly onLine: (line: string) => Promise<void>;
  readonly onEnd: (() => void) | undefined;
}

/** Handles lines one at a time. The terminal edits the line itself, so output in between is harmless. */
function readLines({ onEnter, onLine, onEnd }: LineHandlers): { close(): void } {
  const lines = createInterface({ input: process.stdin, terminal: false });
  let done = Promise.resolve();
  let isClosed = false;
  lines.on("line", (line) => {
    if (isClosed) return;
    onEnter();
    done = done.then(() => onLine(line));
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
