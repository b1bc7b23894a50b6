/** How it ended: a failed start, a clean stop, or a stop after a crash. */
export type Ending = "not started" | "stopped" | "crashed";

/** Owns what was opened. What opens later closes first, both for a failed start and for a stop. */
export interface Scope {
  defer(close: (ending: Ending) => unknown): void;
  /** Once the home is lost, nothing is closed: closing writes to the home and removes files there by name. */
  abandonWhen(isLost: () => boolean): void;
  /** Closes everything, whatever fails on the way, then throws the first failure. */
  close(ending: Ending): Promise<void>;
}

export function openScope(): Scope {
  const closes: ((ending: Ending) => unknown)[] = [];
  let isAbandoned = (): boolean => false;
  return {
    defer: (close) => void closes.push(close),
    abandonWhen(isLost) {
      isAbandoned = isLost;
    },
    async close(ending) {
      if (isAbandoned()) return;
      const failures: unknown[] = [];
      for (let close = closes.pop(); close !== undefined; close = closes.pop()) {
        try {
          await close(ending);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
