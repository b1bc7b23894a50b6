import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentInbox, AgentProcess, LivenessSource } from "../../agents/liveness-source.ts";
import { AppError } from "../../app-error.ts";
import { isOwnDomain, isSameProcess } from "../../monitor/processes.ts";
import { registryFiles } from "../../monitor/registry-entries.ts";
import { whyUnsafe, writeLine } from "./inbox-socket.ts";

/**
 * Messages to idle terminal sessions, through the inbox socket that newer versions of Claude Code open for
 * other sessions of the same user. The model is told that the user did not type it. The token beside the
 * socket is never read: the socket's owner and mode determine who may write.
 */
export interface Inbox {
  /** Delivered means that its process received it: the session shows what the model makes of it. */
  sendToTerminal(message: TerminalMessage): Promise<{ readonly delivered: true }>;
}

export interface TerminalMessage {
  readonly sessionId: string;
  readonly text: string;
  /** The sender, in a word or two. */
  readonly from: string;
}

export interface InboxOptions {
  /** `approve.messages`. */
  readonly isOn: () => boolean;
  /** The agent whose sessions receive messages. */
  readonly label: string;
  readonly liveness: LivenessSource;
  readonly configDirs: () => readonly string[];
  /** As last reported by its hooks; null if unknown. */
  readonly modeOf: (sessionId: string) => string | null;
}

const MAX_MESSAGE_CHARS = 10_000;
const SEND_TIMEOUT_MS = 3_000;
/** The registry shows a session as busy only a moment after it started working. */
const REGISTRY_LAG_MS = 200;

export function createInbox(options: InboxOptions): Inbox {
  const { label, liveness } = options;
  return {
    async sendToTerminal({ sessionId, text, from }) {
      if (!options.isOn())
        throw new AppError(
          "messages_off",
          "Messages to terminal sessions are off. Set approve.messages to true.",
        );
      if (text.trim() === "" || text.length > MAX_MESSAGE_CHARS)
        throw new AppError("message_invalid", `A message must have 1 to ${MAX_MESSAGE_CHARS} characters.`);
      const findInbox = (): OpenInbox => {
        const entry = findEntry(options, sessionId);
        if (entry === undefined)
          throw new AppError("session_unknown", `No terminal session ${sessionId} is running here.`);
        return idleInbox(entry, { label, inbox: liveness.inbox, mode: options.modeOf(sessionId) });
      };
      findInbox();
      await sleep(REGISTRY_LAG_MS);
      const { socket, inbox } = findInbox();
      await writeLine(socket, inbox.toLine(contentOf(text, from)), SEND_TIMEOUT_MS).catch((cause: Error) => {
        throw new AppError("inbox_missing", `The inbox of ${sessionId}: ${cause.message}.`, { cause });
      });
      return { delivered: true };
    },
  };
}

function contentOf(text: string, from: string): string {
  const who = from.replace(/\s+/g, " ").trim().slice(0, 200) || "somebody";
  return `Message from ${who} through Hookline, not typed in this terminal:\n\n${text}`;
}

interface RunningAgent extends AgentProcess {
  readonly socket: string | null;
}

interface OpenInbox {
  readonly socket: string;
  readonly inbox: AgentInbox;
}

function idleInbox(
  entry: RunningAgent,
  { label, inbox, mode }: { label: string; inbox: AgentInbox | undefined; mode: string | null },
): OpenInbox {
  if (inbox === undefined || entry.socket === null)
    throw new AppError("inbox_missing", `${label} ${entry.version ?? "there"} has no inbox.`);
  if (entry.status !== "idle")
    throw new AppError(
      "session_busy",
      `The session is ${entry.status ?? "starting"}. Only idle sessions take messages.`,
    );
  if (mode !== null && inbox.requiresApproval(mode))
    throw new AppError("session_unguarded", "Sessions that bypass permissions take no messages.");
  const why = whyUnsafe(entry.socket, process.getuid?.());
  if (why !== null) throw new AppError("inbox_missing", `The session cannot be reached: ${why}.`);
  return { socket: entry.socket, inbox };
}

/** The running process of a session, as currently in the agent's registry. */
function findEntry({ liveness, configDirs }: InboxOptions, sessionId: string): RunningAgent | undefined {
  return configDirs()
    .flatMap((dir) => registryFiles(liveness, liveness.folder(dir)))
    .flatMap((file) => readEntry(file, liveness) ?? [])
    .find(
      (entry) =>
        entry.sessionId === sessionId &&
        liveness.isAttended(entry) === true &&
        isOwnDomain(entry.pidDomain) &&
        isSameProcess(entry.pid, entry.procStart),
    );
}

function readEntry(file: string, liveness: LivenessSource): RunningAgent | null {
  try {
    const text = readFileSync(file, "utf8");
    const entry = liveness.parse(text);
    return entry === null ? null : { ...entry, socket: liveness.inbox?.socketOf(text) ?? null };
  } catch {
    return null;
  }
}
