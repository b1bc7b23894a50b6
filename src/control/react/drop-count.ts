/** `queue_full`: too much waits. `too_often`: one rule ran so often in a minute that it may be answering itself. */
export type DropName = "queue_full" | "too_often";

export interface DropCount {
  /** Whether a rule may run once more; if not, it is counted. */
  mayRun(ruleId: string): boolean;
  drop(name: DropName): void;
  drops(): Readonly<Record<DropName, number>>;
}

const MINUTE_MS = 60_000;
const MOST_A_MINUTE = 120;

export function createDropCount(notice: (message: string) => void, nowMs: () => number): DropCount {
  const drops: Record<DropName, number> = { queue_full: 0, too_often: 0 };
  const toldAtMs: Partial<Record<DropName, number>> = {};
  let runs = new Map<string, number>();
  let minute = 0;
  const drop = (name: DropName): void => {
    drops[name]++;
    if (nowMs() - (toldAtMs[name] ?? -Infinity) < MINUTE_MS) return;
    toldAtMs[name] = nowMs();
    notice(WORDS[name]);
  };
  return {
    mayRun(ruleId) {
      const now = Math.floor(nowMs() / MINUTE_MS);
      if (now !== minute) runs = new Map();
      minute = now;
      const before = runs.get(ruleId) ?? 0;
      runs.set(ruleId, before + 1);
      if (before < MOST_A_MINUTE) return true;
      drop("too_often");
      return false;
    },
    drop,
    drops: () => ({ ...drops }),
  };
}

const WORDS: Readonly<Record<DropName, string>> = {
  queue_full: "reactions are left out: too many of them wait",
  too_often: `reactions are left out: one rule ran more than ${MOST_A_MINUTE} times in a minute`,
};
