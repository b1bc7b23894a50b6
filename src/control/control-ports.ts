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

/** Interfaces between the parts of control: what each needs of the others, and what the API may call. */

/** Driven sessions for the API. Expected refusals are an AppError with a code from docs/formats.md. */
export interface DrivenSessions {
  /** Resolves when requests left open by an earlier driver process are known and reported as lost. */
  readonly recovered: Promise<void>;
  /** Resolves when the session is registered; past the cap it is `queued`. */
  start(request: StartRequest): Promise<DrivenSession>;
  send(
    sessionId: string,
    request: SendRequest,
  ): Promise<{ readonly messageId: string; readonly state: string }>;
  /** Interrupts the turn; the session stays open. */
  stop(sessionId: string, commandId?: string): Promise<DrivenSession>;
  close(sessionId: string, commandId?: string): Promise<DrivenSession>;
  setMode(sessionId: string, mode: string, who: string, commandId?: string): Promise<DrivenSession>;
  setModel(sessionId: string, model: string, commandId?: string): Promise<DrivenSession>;
  rewind(
    sessionId: string,
    request: RewindRequest,
  ): Promise<{ readonly ok: boolean; readonly files: readonly string[]; readonly message: string | null }>;
  answer(sessionId: string, requestId: string, answer: CardAnswer): Promise<Card>;
  /** After a crash: resumes the session and makes it repeat the request. */
  askAgain(sessionId: string, requestId: string, request: Partial<StartRequest>): Promise<DrivenSession>;
  list(): readonly DrivenSession[];
  get(sessionId: string): Promise<DrivenSession | undefined>;
  /** A session that this process drives, or drove recently. */
  live(sessionId: string): DrivenSession | undefined;
  /** Pending and lost requests. */
  cards(): readonly Card[];
  /** The raw request while pending. Also returns settled ones, so that a second answer gets `not_pending`. */
  card(requestId: string, sessionId?: string): Promise<Card | undefined>;
  attach(sessionId: string, after: number, onEnvelope: (envelope: Envelope) => void): Promise<Attached>;
  /** Whether this process drives that Claude session. */
  isDriven(claudeSessionId: string): boolean;
  closeAll(): Promise<void>;
}

/** Stored envelopes after `after` arrive in order before `attach` resolves, then new ones and deltas. */
export interface Attached {
  readonly snapshot: DrivenSession;
  close(): void;
}

/** Stores envelopes. */
export interface EnvelopeStore {
  /** Durable when it resolves. */
  append(place: SessionLocation, envelopes: readonly Envelope[]): Promise<void>;
  /** Stored envelopes of a session with a greater seq, in order. */
  read(sessionId: string, afterSeq: number, limit: number): Promise<readonly Envelope[]>;
  /** Sessions whose last stored envelope is not `state: closed`: an earlier process left them open. */
  unfinished(): Promise<
    readonly {
      readonly sessionId: string;
      readonly lastSeq: number;
      readonly place: SessionLocation;
    }[]
  >;
  /** Sessions that lost a request since then. */
  lost(sinceIso: string): Promise<readonly { readonly sessionId: string; readonly place: SessionLocation }[]>;
  /** 0 for a session that was never driven. */
  lastSeq(sessionId: string): Promise<number>;
}

export interface SessionLocation {
  readonly projectPath: string | null;
  readonly cwd: string;
}

/** Starts claude processes so that they cannot outlive us. */
export interface ClaudeProcesses {
  /** For the SDK's `spawnClaudeCodeProcess`. */
  spawn(options: {
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd?: string | undefined;
    readonly env: Env;
    readonly signal: AbortSignal;
  }): ChildProcess;
  /** Kills the process and all it started, even outside its group. Resolves when done, or after 3 s. */
  killTree(pid: number): Promise<void>;
  close(): Promise<void>;
}

export interface SessionLocks {
  /** One writer per Claude session on this machine; also refused while it runs in a terminal. */
  claim(
    claudeSessionId: string,
  ): { readonly type: "taken"; release(): void } | { readonly type: "busy"; readonly by: string };
}

/** What a session may use of a project: nothing until a person has approved exactly that content. */
export interface ProjectTrust {
  read(cwd: string): Promise<ProjectConfig>;
}

export interface ProjectConfig {
  readonly trusted: boolean;
  readonly settingSources: readonly ("user" | "project" | "local")[];
  /** For the SDK's `mcpServers`; always used with strictMcpConfig. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** Problems in the project's files, shown to the user; never fatal. */
  readonly problems: readonly string[];
}

export interface ClaudeFinder {
  /** Reports what is available and who pays, for an environment that may hold credentials. */
  report(choice: {
    readonly billing: "api" | "subscription";
    readonly env: Env;
    /** Whose environment it is: the advice differs. */
    readonly of?: "caller" | "daemon";
  }): Promise<ClaudeReport>;
}

/** `logs/sdk-<date>.jsonl`: traffic to and from the SDK, masked and readable by its owner only. */
export interface SdkLog {
  write(sessionId: string, direction: "input" | "output", data: unknown): void;
  close(): Promise<void>;
}
