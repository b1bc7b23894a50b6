/**
 * The turns that a model is still to be asked about, and what asking has cost. Times are in milliseconds since the epoch.
 * - A turn is queued once, also after it is done.
 * - A job is leased to one caller at a time, also when several ask at once. A lease that runs out (its process was
 *   killed) puts the job back.
 * - A job that fails waits longer each time, and is given up after the sixth attempt.
 * - Each method takes effect as a whole, or not at all.
 */
export interface MemoryJobs {
  /** False for a turn that is known, also for one that is done. */
  enqueue(turn: JobTurn, atMs: number, notBeforeMs: number): Promise<boolean>;
  /** The oldest that may be asked now. A turn that a model has told of already, as after a rebuild, is none. */
  lease(nowMs: number, leaseMs: number): Promise<MemoryJob | undefined>;
  done(turn: JobTurn): Promise<void>;
  /** It was the job's own fault: again later, or given up after the last attempt. */
  failed(turn: JobTurn, error: string, nowMs: number): Promise<void>;
  /** It was not: the attempt does not count. */
  release(turn: JobTurn): Promise<void>;
  /** When the next job may be asked, if there is one. */
  nextAtMs(): Promise<number | undefined>;
  counts(nowMs: number): Promise<JobCounts>;
  /** Adds one call to a day's. */
  spend(day: string, model: string, call: CallSpend): Promise<void>;
  spendOf(day: string): Promise<readonly DaySpend[]>;
}

export interface JobTurn {
  readonly sessionId: string;
  readonly promptId: string;
}

export interface MemoryJob extends JobTurn {
  /** How often it was begun, this time included. */
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
