/** A claude-mem database of any version. Times are ISO; lists are arrays. */
export interface ClaudeMem {
  sessions(): Iterable<ForeignSession>;
  prompts(): Iterable<ForeignPrompt>;
  observations(): Iterable<ForeignObservation>;
  summaries(): Iterable<ForeignSummary>;
  close(): void;
}

export interface ForeignSession {
  readonly sessionId: string;
  readonly project: string;
  readonly provider: string;
  readonly startedAtIso: string;
  readonly completedAtIso: string | null;
  readonly prompt: string | null;
}

export interface ForeignRecord {
  readonly sessionId: string;
  readonly project: string | null;
  readonly promptNumber: number | null;
  readonly createdAtIso: string;
}

export interface ForeignPrompt extends ForeignRecord {
  readonly prompt: string;
}

export interface ForeignObservation extends ForeignRecord {
  readonly type: string;
  readonly title: string | null;
  readonly subtitle: string | null;
  /** The only content in versions before observations had parts. */
  readonly text: string | null;
  readonly narrative: string | null;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
}

export interface ForeignSummary extends ForeignRecord {
  readonly request: string | null;
  readonly investigated: string | null;
  readonly learned: string | null;
  readonly completed: string | null;
  readonly nextSteps: string | null;
  readonly notes: string | null;
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
}
