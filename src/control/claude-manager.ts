import { resolve } from "node:path";
import { AppError } from "../app-error.ts";
import { createKeyedQueue } from "../serial-queue.ts";
import { type Card, type CardAnswer, StartRequest } from "./control-contract.ts";
import type { DrivenSessions } from "./control-ports.ts";
import {
  type Conversation,
  createConversation,
  type ManagedSession,
  type PendingRequest,
  resolveMessage,
  toManagedSession,
} from "./conversation.ts";
import type { Envelope } from "./envelope.ts";
import {
  type ManagerEvent,
  type ManagerState,
  type PendingEvent,
  toManagerEvents,
  toManagerState,
} from "./manager-events.ts";
import { openStandalone, type Standalone, type StandaloneOptions } from "./open-standalone.ts";

export type { ManagerEvent } from "./manager-events.ts";

export type OnManagerEvent = (sessionId: string, event: ManagerEvent) => void;

export interface SendOptions {
  readonly workingDir: string;
  /** The Claude session to resume. */
  readonly claudeSessionId?: string;
}

/**
 * Claude sessions for other programs: messages go in, events come out, each conversation under an id that the
 * caller chose. Works without the daemon; `close` ends everything it started.
 */
export class ClaudeManager {
  readonly #onEvent: OnManagerEvent;
  readonly #options: StandaloneOptions;
  readonly #conversations = new Map<string, Conversation>();
  /** Two concurrent messages start one session. */
  readonly #runExclusive = createKeyedQueue();
  #standalone: Standalone | undefined;

  constructor(onEvent: OnManagerEvent, options: StandaloneOptions = {}) {
    this.#onEvent = onEvent;
    this.#options = options;
  }

  /** Stops the running turn, if any, then sends. Resolves when the new turn is over. */
  async sendMessage(sessionId: string, message: string, options: SendOptions): Promise<void> {
    try {
      const { waiting, messageId } = await this.#send(sessionId, message, options);
      await new Promise<void>((resolve) => waiting.set(messageId, resolve));
    } catch (error) {
      this.#onEvent(sessionId, { type: "error", error: toText(error) });
      const conversation = this.#conversations.get(sessionId);
      if (conversation === undefined) this.#onEvent(sessionId, { type: "state", state: "idle" });
      else this.#setState(sessionId, conversation, this.#stateOf(conversation));
    }
  }

  /** Ends the turn and withdraws its pending requests. The conversation can continue. */
  async stop(sessionId: string): Promise<void> {
    const conversation = this.#conversations.get(sessionId);
    if (conversation === undefined || conversation.state === "idle") return;
    await this.#sessions.stop(conversation.claudeSessionId).catch(() => undefined);
  }

  /** The next message starts a new conversation under this id. */
  async newSession(sessionId: string): Promise<void> {
    const conversation = this.#conversations.get(sessionId);
    if (conversation === undefined) return;
    await this.#sessions.close(conversation.claudeSessionId).catch(() => undefined);
    this.#forget(sessionId, conversation);
  }

  /** Returns whether it was pending. `allowAll` covers the same input, or every call of the tool. */
  respondPermission(
    sessionId: string,
    toolUseId: string,
    decision: "allow" | "allowAll" | "deny",
    { scope = "exact" }: { readonly scope?: "exact" | "tool" } = {},
  ): Promise<boolean> {
    const fields = { allow: {}, allowAll: { scope }, deny: { message: "User denied" } } as const;
    return this.#answer(sessionId, toolUseId, { decision, ...fields[decision] });
  }

  /** Answers are keyed by question; a plain string answers a single question, or replies to all of them. */
  respondQuestion(
    sessionId: string,
    toolUseId: string,
    answer: string | Readonly<Record<string, string>>,
  ): Promise<boolean> {
    if (typeof answer !== "string") return this.#answer(sessionId, toolUseId, { answers: { ...answer } });
    const questions = this.#cards(sessionId).find(({ id }) => id === toolUseId)?.questions ?? [];
    const [only, ...others] = questions as { readonly question?: unknown }[];
    if (typeof only?.question !== "string" || others.length > 0)
      return this.#answer(sessionId, toolUseId, { response: answer });
    return this.#answer(sessionId, toolUseId, { answers: { [only.question]: answer } });
  }

  /** Sessions with a running turn. */
  get sessions(): ReadonlyMap<string, ManagedSession> {
    const busy = [...this.#conversations].filter(([, { state }]) => state !== "idle");
    return new Map(
      busy.map(([id, conversation]) => {
        const driven = this.#sessions.live(conversation.claudeSessionId);
        return [id, toManagedSession(conversation, driven)];
      }),
    );
  }

  get pendingPermissions(): ReadonlyMap<string, PendingRequest> {
    return this.#pending(({ kind }) => kind !== "question");
  }

  get pendingQuestions(): ReadonlyMap<string, PendingRequest> {
    return this.#pending(({ kind }) => kind === "question");
  }

  /** All pending requests, to replay to a client that reconnects. */
  get pendingEvents(): ReadonlyMap<string, readonly PendingEvent[]> {
    const all = [...this.#conversations.keys()].map(
      (id) => [id, this.#cards(id).map(toPendingEvent)] as const,
    );
    return new Map(all.filter(([, events]) => events.length > 0));
  }

  async close(): Promise<void> {
    await this.#standalone?.close();
    for (const [id, conversation] of this.#conversations) this.#forget(id, conversation);
  }

  get #sessions(): DrivenSessions {
    return this.#open().sessions;
  }

  #open(): Standalone {
    this.#standalone ??= openStandalone(this.#options);
    return this.#standalone;
  }

  async #send(sessionId: string, text: string, options: SendOptions) {
    const request = { text, images: [], interrupt: true };
    for (;;) {
      const conversation = await this.#runExclusive(sessionId, () => this.#conversation(sessionId, options));
      const { claudeSessionId, waiting } = conversation;
      this.#setState(sessionId, conversation, "working");
      try {
        return { waiting, ...(await this.#sessions.send(claudeSessionId, request)) };
      } catch (error) {
        // The idle session was being closed: resume it once it is.
        if (!(error instanceof AppError) || error.code !== "session_closed") throw error;
        await this.#sessions.close(claudeSessionId);
      }
    }
  }

  #stateOf({ claudeSessionId }: Conversation): ManagerState {
    return toManagerState(this.#sessions.live(claudeSessionId)?.state ?? "closed");
  }

  async #conversation(
    sessionId: string,
    { workingDir, claudeSessionId }: SendOptions,
  ): Promise<Conversation> {
    const known = this.#conversations.get(sessionId);
    const isOpen = known !== undefined && this.#sessions.isDriven(known.claudeSessionId);
    const isSameSession = claudeSessionId === undefined || claudeSessionId === known?.claudeSessionId;
    if (isOpen && isSameSession) return known;
    if (isOpen) await this.newSession(sessionId);
    if (known !== undefined) await this.#detach(known);
    const resume = claudeSessionId ?? known?.claudeSessionId;
    const { mode = "default", model } = this.#options;
    const request = StartRequest.parse({ cwd: resolve(workingDir), mode, model, resume });
    await this.#reportNotices(sessionId, request.cwd);
    const started = await this.#sessions.start(request);
    const conversation = createConversation(started.sessionId);
    this.#stopOnAbort(sessionId, conversation);
    this.#conversations.set(sessionId, conversation);
    const onEnvelope = (envelope: Envelope): void => this.#onEnvelope(sessionId, conversation, envelope);
    const { close } = await this.#sessions.attach(started.sessionId, started.seq, onEnvelope);
    conversation.detach = close;
    return conversation;
  }

  /** The caller asked for the project's MCP servers: missing ones are an event, the rest a notice. */
  async #reportNotices(sessionId: string, cwd: string): Promise<void> {
    for (const notice of await this.#open().notices(cwd)) {
      if (notice.includes(".mcp.json")) this.#onEvent(sessionId, { type: "error", error: notice });
      this.#options.onNotice?.(notice);
    }
  }

  /** A controller aborts only once, so the next turn gets a new one. */
  #stopOnAbort(sessionId: string, conversation: Conversation): void {
    const { signal } = conversation.abortController;
    const onAbort = (): void => {
      conversation.abortController = new AbortController();
      this.#stopOnAbort(sessionId, conversation);
      if (this.#conversations.get(sessionId) === conversation) void this.stop(sessionId);
    };
    signal.addEventListener("abort", onAbort, { once: true });
  }

  /** Detaches once all events are emitted: a resumed session would emit them twice from the same journal. */
  async #detach(closing: Conversation): Promise<void> {
    await this.#sessions.close(closing.claudeSessionId).catch(() => undefined);
    closing.detach();
  }

  #onEnvelope(sessionId: string, conversation: Conversation, envelope: Envelope): void {
    if (envelope.type === "text.delta") conversation.partialText += envelope.text;
    for (const event of toManagerEvents(envelope, conversation.partialText)) this.#onEvent(sessionId, event);
    if (envelope.type === "text") conversation.partialText = "";
    // Its own turn is over; the turn that replaced it continues.
    if (envelope.type === "result" && conversation.waiting.size > envelope.messageIds.length)
      for (const id of envelope.messageIds) resolveMessage(conversation, id);
    if (envelope.type !== "state") return;
    this.#setState(sessionId, conversation, toManagerState(envelope.state));
    if (envelope.state !== "idle" && envelope.state !== "closed") return;
    for (const id of [...conversation.waiting.keys()]) resolveMessage(conversation, id);
  }

  #setState(sessionId: string, conversation: Conversation, state: ManagerState): void {
    if (conversation.state === state) return;
    conversation.state = state;
    this.#onEvent(sessionId, { type: "state", state });
  }

  #forget(sessionId: string, conversation: Conversation): void {
    conversation.detach();
    for (const id of [...conversation.waiting.keys()]) resolveMessage(conversation, id);
    this.#conversations.delete(sessionId);
  }

  async #answer(sessionId: string, toolUseId: string, answer: CardAnswer): Promise<boolean> {
    const conversation = this.#conversations.get(sessionId);
    try {
      if (conversation === undefined)
        throw new AppError("session_unknown", `There is no session ${sessionId}.`);
      await this.#sessions.answer(conversation.claudeSessionId, toolUseId, answer);
      return true;
    } catch (error) {
      this.#onEvent(sessionId, { type: "error", error: toText(error) });
      return false;
    }
  }

  #cards(sessionId: string): readonly Card[] {
    const conversation = this.#conversations.get(sessionId);
    if (conversation === undefined) return [];
    return this.#sessions.live(conversation.claudeSessionId)?.pending ?? [];
  }

  #pending(matches: (card: Card) => boolean): ReadonlyMap<string, PendingRequest> {
    const all = [...this.#conversations.keys()].flatMap((sessionId) =>
      this.#cards(sessionId)
        .filter(matches)
        .map(({ id, toolName, input }) => [id, { sessionId, toolName, input }] as const),
    );
    return new Map(all);
  }
}

function toPendingEvent({ kind, id, toolName, input, questions }: Card): PendingEvent {
  if (kind === "question") return { type: "askQuestion", questions, toolUseId: id };
  return { type: "permission_request", toolName, toolInput: input, toolUseId: id };
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
