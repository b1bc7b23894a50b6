import type {
  Card,
  CardAnswer,
  ClaudeReport,
  TrustReport,
  ViewerRequest,
} from "../control/control-contract.ts";
import type { DrivenSessions } from "../control/control-ports.ts";
import type { Verdict } from "../policy/request.ts";
import type { PolicyTestRequest } from "./control-queries.ts";

/** A session may be named by the beginning of its id, which has to be looked up. */
export type DrivenPorts = Omit<DrivenSessions, "get" | "card"> & {
  get(sessionId: string): MaybePromise<ReturnType<DrivenSessions["get"]>>;
  card(requestId: string, sessionId?: string): MaybePromise<ReturnType<DrivenSessions["card"]>>;
};

type MaybePromise<T> = T | Promise<T>;

/** What the routes under `/api/control` may ask of steering. Expected refusals are an AppError. */
export interface ControlPorts {
  readonly driven: DrivenPorts;
  /** Cards of terminals; same shape as driven ones. */
  readonly terminal: {
    cards(): readonly Card[];
    get(id: string): Card | undefined;
    answer(id: string, answer: CardAnswer): Card;
    /** A client told whether a person looks at it, and at what. */
    viewed(request: ViewerRequest): void;
  };
  /** Requests that are over and whose ids begin so, as far back as they are written down. */
  settled(idStart: string): Promise<readonly Card[]>;
  /** Into a session that sits idle in somebody's terminal. */
  sendToTerminal(request: {
    readonly sessionId: string;
    readonly text: string;
    readonly from: string;
  }): Promise<{ readonly delivered: true }>;
  report(request: {
    readonly billing?: "api" | "subscription";
    readonly credentials?: Readonly<Record<string, string>>;
  }): Promise<ClaudeReport>;
  readonly trust: {
    report(cwd: string): Promise<TrustReport>;
    approve(cwd: string, hash: string): Promise<TrustReport>;
    revoke(cwd: string): Promise<TrustReport>;
  };
  readonly policy: { test(request: PolicyTestRequest): Verdict | Promise<Verdict> };
}
