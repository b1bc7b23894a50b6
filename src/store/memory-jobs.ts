/**
 * The turns that a model is still to be asked about, and what asking has cost. A job is leased to whoever asks; a
 * lease that runs out (its process was killed) puts the job back. Times are given, in milliseconds since the epoch.
 */
export interface MemoryJobs {
  /** False for a turn that is known, also for one that is done. */
  enqueue(turn: JobTurn, atMs: number, notBeforeMs: number): boolean;
  /** The oldest that may be asked now. A turn that a model has told of already, as after a rebuild, is none. */
  lease(nowMs: number, leaseMs: number): MemoryJob | undefined;
  done(turn: JobTurn): void;
  /** It was the job's own fault: again later, or given up after the last attempt. */
  failed(turn: JobTurn, error: string, nowMs: number): void;
  /** It was not: the attempt does not count. */
  release(turn: JobTurn): void;
  /** When the next job may be asked, if there is one. */
  nextAtMs(): number | undefined;
  counts(nowMs: number): JobCounts;
  /** Adds one call to a day's. */
  spend(day: string, model: string, call: CallSpend): void;
  spendOf(day: string): DaySpend[];
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
