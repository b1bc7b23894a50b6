/** Waits until it is quiet before something is done, but not for ever. */
export interface GatheredAsks {
  /** To be done after this delay, unless asked again before; if it is urgent, at the latest then. */
  ask(delayMs: number, isUrgent: boolean): void;
  /** It is being done. Returns when it was first asked for. */
  begin(): number;
  cancel(): void;
}

/** What is asked for again and again is done too. */
export const LONGEST_MS = 10_000;

export function gatherAsks(act: () => void): GatheredAsks {
  let timer: NodeJS.Timeout | null = null;
  /** Not later than this, whatever else comes. */
  let latestMs = Number.POSITIVE_INFINITY;
  let firstAskedMs: number | null = null;

  return {
    ask(delayMs, isUrgent) {
      const nowMs = performance.now();
      firstAskedMs ??= nowMs;
      latestMs = Math.min(latestMs, nowMs + (isUrgent ? delayMs : LONGEST_MS));
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = null;
          act();
        },
        Math.min(delayMs, Math.max(0, latestMs - nowMs)),
      ).unref();
    },
    begin() {
      const sinceMs = firstAskedMs ?? performance.now();
      firstAskedMs = null;
      latestMs = Number.POSITIVE_INFINITY;
      return sinceMs;
    },
    cancel() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
