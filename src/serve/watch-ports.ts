import type { AwayReport, SessionDetail, WaitTotals } from "../monitor/session-detail.ts";
import type { SessionSnapshot } from "../monitor/session-snapshot.ts";
import type { SessionsQuery, WaitsQuery } from "./contract.ts";
import type { MetricsInput } from "./metrics.ts";
import type { SessionStream } from "./session-stream.ts";
import type { UsageQuery, UsageReport } from "./usage-contract.ts";

/** What the session routes need from the monitor. */
export interface WatchPorts {
  /** Shows no state of a watched session that was not published to `stream`. */
  sessions(query: SessionsQuery): Promise<{
    readonly sessions: readonly SessionSnapshot[];
    readonly next: string | null;
  }>;
  /** By id, or by an id prefix of at least four characters. */
  session(idOrPrefix: string): Promise<SessionDetail | { readonly ambiguous: readonly string[] } | undefined>;
  waits(query: WaitsQuery): Promise<WaitTotals>;
  /** Without a time: since the user's last visit. */
  away(sinceIso?: string): Promise<AwayReport>;
  seen(atIso: string): void;
  usage(query: UsageQuery): Promise<UsageReport>;
  metrics(): Promise<MetricsInput>;
  readonly stream: SessionStream;
}
