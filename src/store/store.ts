import type { ControlRows } from "./control-rows.ts";
import type { Facts } from "./facts.ts";
import type { Forgetting } from "./forgetting.ts";
import type { MemoryJobs } from "./memory-jobs.ts";
import type { MemoryRows } from "./memory-rows.ts";
import type { SessionRows } from "./session-rows.ts";

/** The database behind everything that is asked, by who asks. No method hands out a transaction. */
export interface Store {
  readonly facts: Facts;
  /** What the monitor keeps of sessions. */
  readonly sessions: SessionRows;
  readonly memory: MemoryRows;
  readonly jobs: MemoryJobs;
  readonly control: ControlRows;
  readonly forgetting: Forgetting;
  close(): Promise<void>;
}
