/** Parses what an agent pipes to its status line command. */
export interface StatusLineSource {
  /** Null if the text is not such an input at all. */
  read(text: string): StatusLineInput | null;
}

/** Every part may be missing. */
export interface StatusLineInput {
  readonly sessionId: string | null;
  readonly folder: string | null;
  readonly model: string | null;
  readonly branch: string | null;
  readonly costUsd: number | null;
  /** The used share of the context window. */
  readonly contextPercent: number | null;
  /** The used share of each usage window, and when it resets. */
  readonly limits: { readonly fiveHour: UsageWindow | null; readonly sevenDay: UsageWindow | null };
}

export interface UsageWindow {
  readonly usedPercent: number;
  readonly resetsAtIso: string;
}
