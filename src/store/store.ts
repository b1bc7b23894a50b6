import type { ControlRows } from "./control-rows.ts";
import type { Facts } from "./facts.ts";
import type { Forgetting } from "./forgetting.ts";
import type { MemoryJobs } from "./memory-jobs.ts";
import type { MemoryRows } from "./memory-rows.ts";
import type { SessionRows } from "./session-rows.ts";

/** The database behind all queries, grouped by client. No method exposes a transaction. */
export interface Store {
  readonly facts: Facts;
  /** The monitor's session rows. */
  readonly sessions: SessionRows;
  readonly memory: MemoryRows;
  readonly jobs: MemoryJobs;
  readonly control: ControlRows;
  readonly forgetting: Forgetting;
  close(): Promise<void>;
}
