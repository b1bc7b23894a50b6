import type { ChildProcess } from "node:child_process";
import type { Env } from "../home.ts";
import type {
  Card,
  CardAnswer,
  ClaudeReport,
  DrivenSession,
  RewindRequest,
  SendRequest,
  StartRequest,
} from "./control-contract.ts";
import type { Envelope } from "./envelope.ts";

/** Where the parts of control meet: what each needs of the others, and what the API may ask of all. */

/** Driven sessions, as the API asks for them. Expected refusals are an AppError with a code of docs/formats.md. */
export interface DrivenSessions {
  /** What an earlier life of the driver left open is known, and told as lost. */
  readonly recovered: Promise<void>;
  /** Answers when it is registered; a session past the cap is `queued`. */
  start(request: StartRequest): Promise<DrivenSession>;
  send(
    sessionId: string,
    request: SendRequest,
  ): Promise<{ readonly messageId: string; readonly state: string }>;
  /** Interrupts the turn; the session lives on. */
  stop(sessionId: string, commandId?: string): Promise<DrivenSession>;
  close(sessionId: string, commandId?: string): Promise<DrivenSession>;
  setMode(sessionId: string, mode: string, who: string, commandId?: string): Promise<DrivenSession>;
  setModel(sessionId: string, model: string, commandId?: string): Promise<DrivenSession>;
  rewind(
    sessionId: string,
    request: RewindRequest,
  ): Promise<{ readonly ok: boolean; readonly files: readonly string[]; readonly message: string | null }>;
  answer(sessionId: string, requestId: string, answer: CardAnswer): Promise<Card>;
  /** After a crash: resumes the session and has it ask again. */
  askAgain(sessionId: string, requestId: string, request: Partial<StartRequest>): Promise<DrivenSession>;
  list(): readonly DrivenSession[];
  get(sessionId: string): Promise<DrivenSession | undefined>;
  /** One that this process drives, or drove not long ago. */
  live(sessionId: string): DrivenSession | undefined;
  /** Pending and lost ones. */
  cards(): readonly Card[];
  /** The raw request while it waits. Also a settled one, so that who answers second hears `not_pending`. */
  card(requestId: string, sessionId?: string): Promise<Card | undefined>;
  attach(sessionId: string, after: number, onEnvelope: (envelope: Envelope) => void): Promise<Attached>;
  /** Whether that Claude session is driven from here. */
  isDriven(claudeSessionId: string): boolean;
  closeAll(): Promise<void>;
}

/** Every kept envelope after `after` was given in order before `attach` answers; then what comes, and deltas. */
export interface Attached {
  readonly snapshot: DrivenSession;
  close(): void;
}

/** Where envelopes are kept. */
export interface EnvelopeStore {
  /** Durable when it resolves. */
  append(place: EnvelopePlace, envelopes: readonly Envelope[]): Promise<void>;
  /** Kept envelopes of a session with a greater seq, in order. */
  read(sessionId: string, afterSeq: number, limit: number): Promise<readonly Envelope[]>;
  /** Sessions whose last kept envelope is not `state: closed`: an earlier process left them. */
  unfinished(): Promise<
    readonly {
      readonly sessionId: string;
      readonly lastSeq: number;
      readonly place: EnvelopePlace;
    }[]
  >;
  /** Sessions in which a request was lost since then. */
  lost(sinceIso: string): Promise<readonly { readonly sessionId: string; readonly place: EnvelopePlace }[]>;
  /** 0 for a session nobody drove. */
  lastSeq(sessionId: string): Promise<number>;
}

export interface EnvelopePlace {
  readonly projectPath: string | null;
  readonly cwd: string;
}

/** How a claude process is started so that it cannot outlive us. */
export interface ClaudeProcesses {
  /** For the SDK's `spawnClaudeCodeProcess`. */
  spawn(options: {
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd?: string | undefined;
    readonly env: Env;
    readonly signal: AbortSignal;
  }): ChildProcess;
  /** The process and everything it started, also what left its group: gone when it resolves, or after 3 s. */
  killTree(pid: number): Promise<void>;
  close(): Promise<void>;
}

export interface SessionLocks {
  /** One writer per Claude session, across processes of this machine; also refused while it runs in a terminal. */
  take(
    claudeSessionId: string,
  ): { readonly type: "taken"; release(): void } | { readonly type: "busy"; readonly by: string };
}

/** What of a project a session may use: nothing of it before a person approved exactly that content. */
export interface ProjectTrust {
  read(cwd: string): Promise<ProjectParts>;
}

export interface ProjectParts {
  readonly trusted: boolean;
  readonly settingSources: readonly ("user" | "project" | "local")[];
  /** For the SDK's `mcpServers`; always with strictMcpConfig. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** What is wrong with the project's files, told to the person; never fatal. */
  readonly problems: readonly string[];
}

export interface ClaudeFinder {
  /** What there is, and who pays, for an environment that may hold credentials. */
  report(choice: {
    readonly billing: "api" | "subscription";
    readonly env: Env;
    /** Whose environment it is: the advice differs. */
    readonly of?: "caller" | "daemon";
  }): Promise<ClaudeReport>;
}

/** `logs/sdk-<date>.jsonl`: what went to and came from the SDK. Masked, for its owner alone. */
export interface SdkLog {
  write(sessionId: string, direction: "input" | "output", data: unknown): void;
  close(): Promise<void>;
}
