import type {
  Card,
  CardAnswer,
  ClaudeReport,
  TrustApproval,
  TrustReport,
  ViewerRequest,
} from "../control/control-contract.ts";
import type { DrivenSessions } from "../control/control-ports.ts";
import type { Verdict } from "../policy/request.ts";
import type { PolicyTestRequest } from "./control-queries.ts";

/** A session may be named by an id prefix, which has to be looked up. */
export type DrivenPorts = Omit<DrivenSessions, "get" | "card"> & {
  get(sessionId: string): MaybePromise<ReturnType<DrivenSessions["get"]>>;
  card(requestId: string, sessionId?: string): MaybePromise<ReturnType<DrivenSessions["card"]>>;
};

type MaybePromise<T> = T | Promise<T>;

/** What the routes under `/api/control` need from control. Expected refusals are an AppError. */
export interface ControlPorts {
  readonly driven: DrivenPorts;
  /** Cards of terminal sessions; same shape as driven ones. */
  readonly terminal: {
    cards(): readonly Card[];
    get(id: string): Card | undefined;
    answer(id: string, answer: CardAnswer): Card;
    /** Records whether a person is viewing a client, and which requests it shows. */
    reportViewer(request: ViewerRequest): void;
  };
  /** Settled requests whose ids start with `idStart`, as far back as they are recorded. */
  findSettled(idStart: string): Promise<readonly Card[]>;
  /** Sends a message into a session that is idle in a terminal. */
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
    approvals(): Promise<readonly TrustApproval[]>;
    revokeApproval(folder: string): Promise<void>;
  };
  readonly policy: { test(request: PolicyTestRequest): Verdict | Promise<Verdict> };
}
