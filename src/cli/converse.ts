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
const MIN_READING_MS = 1_000;
/** How long no other text must appear before a covered request is shown again. */
const QUIET_MS = 1_000;

/** Shows a driven session on this terminal and lets the user answer its requests. */
export async function converse(options: ConverseOptions): Promise<void> {
  const { home, sessionId, json, signal, after = 0, isShown = () => true } = options;
  const canAnswer = process.stdin.isTTY || options.onLine !== undefined;
  const screen = createConversationScreen(json);
  const display = createRequestDisplay(home, screen, { sessionId, canAnswer, json });
  let requests: readonly PendingRequest[] = [];
  /** A snapshot whose replay is not complete yet. */
  let snapshot: (AttachMessage & { readonly type: "snapshot" }) | null = null;
  let seq = after;
  let isDisconnected = false;
  let quietTimer: NodeJS.Timeout | undefined;

  const catchUp = async (): Promise<void> => {
    if (snapshot === null) return;
    screen.showText(snapshot);
    snapshot = null;
    await display.announce(requests);
  };
  /** Shows the request again once nothing else has been printed for a while. */
  const showAgainWhenQuiet = (): void => {
    clearTimeout(quietTimer);
    if (display.isCovered(requests)) quietTimer = setTimeout(() => display.showAgain(requests), QUIET_MS);
  };
  /** Replies to a line that was not an answer, keeping the request last on the screen. */
  const reply = (text: string): void => {
    screen.note(text);
    display.showAgain(requests, 0);
  };
  const handleLine = async (line: string): Promise<void> => {
    const hasPending = requests.some(({ status }) => status === "pending");
    const request = display.current(requests);
    const isCommand = line.startsWith("/") && (request === null || !isChoice(request.card!, line));
    if (!hasPending || isCommand) {
      // The command's output comes after the request.
      if (hasPending) screen.clearLastRequest();
      return options.onLine?.(line);
    }
    if (line.trim() === "") return;
    if (display.isCovered(requests)) {
      screen.note("Other output came in between, so nothing was answered. Here is the request again.");
      return display.showAgain(requests);
    }
    if (request === null)
      return reply("A new request arrived, so nothing was answered. Review it, then answer.");
    const typed = toAnswer(request.card!, line);
    if (typed.type === "unclear") return reply(`To answer: ${typed.how}.`);
    if (isTooLarge(request) && typed.answer.decision !== "deny")
      return reply("This request is too large to show, so it can only be denied: d [reason].");
    await answerCard(home, request.id, request.parts, { ...typed.answer, who: options.who });
    display.answered(request.id);
  };

  const lines = canAnswer
    ? readLines({
        onEnter: screen.lineEntered,
        onLine: (line) =>
          handleLine(line)
            .catch((error: Error) => screen.note(oneLine(error.message)))
            .finally(showAgainWhenQuiet),
        onEnd: options.onEnd,
      })
    : null;
  try {
    for await (const message of followSession(home.sock, sessionId, { signal, after })) {
      if (message.type === "down") {
        if (!isDisconnected) screen.note("Lost the daemon; reconnecting…");
        isDisconnected = true;
      } else isDisconnected = false;
      requests = applyToPending(requests, message);
      if (message.type === "snapshot") snapshot = message;
      if (message.type === "envelope") {
        seq = Math.max(seq, message.envelope.seq);
        if (!message.isReplay) await catchUp();
        if (isShown(message.envelope)) screen.show(message);
        if (!message.isReplay) await display.announce(requests);
      }
      if (snapshot !== null && seq >= snapshot.session.seq) await catchUp();
      if (options.isOver(message)) return;
      showAgainWhenQuiet();
    }
  } finally {
    clearTimeout(quietTimer);
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
  const announced = new Set<string>();
  let current: WaitingRequest | null = null;
  let answeredId = "";
  let answerableAtMs = 0;

  const isPending = (requests: readonly PendingRequest[]): boolean =>
    requests.some(({ id, status }) => id === current?.id && status === "pending");
  const isCovered = (requests: readonly PendingRequest[]): boolean =>
    canAnswer && isPending(requests) && screen.lastRequestId() !== current?.id;

  const show = async ({ id }: PendingRequest): Promise<void> => {
    const card = await askControl(home, Card, `/cards/${encodeURIComponent(id)}`).catch(() => null);
    if (card === null || card.status === "settled") return;
    announced.add(id);
    const request = fromCard(card, null);
    screen.showRequest(request, { sessionId, canAnswer: canAnswer && !json });
    if (card.status !== "pending") return;
    const isReplacement = current !== null && current.id !== answeredId;
    answerableAtMs = isReplacement ? Date.now() + MIN_READING_MS : 0;
    current = request;
  };

  return {
    async announce(requests: readonly PendingRequest[]): Promise<void> {
      const first = requests.find(({ status }) => status === "pending");
      for (const entry of requests) {
        // One at a time when the user can answer here: it must be clear which request a "y" answers.
        if (announced.has(entry.id) || (canAnswer && entry.status === "pending" && entry !== first)) continue;
        await show(entry);
      }
    },
    /** Null while the user may not have read the request yet. */
    current(requests: readonly PendingRequest[]): WaitingRequest | null {
      return isPending(requests) && Date.now() >= answerableAtMs ? current : null;
    },
    /** Whether other text was printed after the pending request: the input may be a reply to that text. */
    isCovered,
    /** Prints the covered request again, and accepts no answer to it for `delayMs`. */
    showAgain(requests: readonly PendingRequest[], delayMs = MIN_READING_MS): void {
      if (!isCovered(requests)) return;
      screen.showRequest(current!, { sessionId, canAnswer: !json });
      answerableAtMs = Math.max(answerableAtMs, Date.now() + delayMs);
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
