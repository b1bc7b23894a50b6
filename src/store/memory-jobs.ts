/**
 * Turns queued for a model, and what the calls have cost. Times are in milliseconds since the epoch.
 * - A turn is queued once, even after it is done.
 * - A job is leased to one caller at a time, also under concurrent calls. An expired lease (its process was
 *   killed) returns the job to the queue.
 * - A failing job waits longer each time and is abandoned after the sixth attempt.
 * - Each method is atomic.
 */
export interface MemoryJobs {
  /** False for a known turn, including one that is done. */
  enqueue(turn: JobTurn, atMs: number, notBeforeMs: number): Promise<boolean>;
  /** The oldest job that is due. Skips turns a model has already summarized, as after a rebuild. */
  lease(nowMs: number, leaseMs: number): Promise<MemoryJob | undefined>;
  done(turn: JobTurn): Promise<void>;
  /** The job itself failed: retry later, or abandon it after the last attempt. */
  failed(turn: JobTurn, error: string, nowMs: number): Promise<void>;
  /** The failure was not the job's: the attempt does not count. */
  release(turn: JobTurn): Promise<void>;
  /** When the next job is due, if there is one. */
  nextAtMs(): Promise<number | undefined>;
  counts(nowMs: number): Promise<JobCounts>;
  /** Adds one call to the day's total. */
  spend(day: string, model: string, call: CallSpend): Promise<void>;
  spendOf(day: string): Promise<readonly DaySpend[]>;
}

export interface JobTurn {
  readonly sessionId: string;
  readonly promptId: string;
}

export interface MemoryJob extends JobTurn {
  /** The number of attempts so far, including this one. */
  readonly attempts: number;
}

export interface JobCounts {
  readonly waiting: number;
  readonly done: number;
  readonly givenUp: number;
}

export interface CallSpend {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isFailed: boolean;
}

export interface DaySpend {
  readonly model: string;
  readonly calls: number;
  readonly failedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}
