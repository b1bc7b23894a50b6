/** What an agent pipes to a command that draws its status line. */
export interface StatusLineSource {
  /** Null for what is no such input at all. */
  read(text: string): StatusTold | null;
}

/** Every part may be missing. */
export interface StatusTold {
  readonly sessionId: string | null;
  readonly folder: string | null;
  readonly model: string | null;
  readonly branch: string | null;
  readonly costUsd: number | null;
  /** How much of the context window is used. */
  readonly contextPercent: number | null;
  /** How much of a usage window is used up, and when that begins anew. */
  readonly limits: { readonly fiveHour: UsedWindow | null; readonly sevenDay: UsedWindow | null };
}

export interface UsedWindow {
  readonly usedPercent: number;
  readonly resetsAtIso: string;
}
