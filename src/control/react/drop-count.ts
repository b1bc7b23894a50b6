/** `queue_full`: too much is waiting. `too_often`: ran so often in a minute that it may trigger itself. */
export type DropReason = "queue_full" | "too_often";

export interface DropCount {
  /** Whether a rule may run once more; if not, the drop is counted. */
  mayRun(ruleId: string): boolean;
  drop(name: DropReason): void;
  drops(): Readonly<Record<DropReason, number>>;
}

const MINUTE_MS = 60_000;
const MAX_RUNS_PER_MINUTE = 120;

export function createDropCount(notice: (message: string) => void, nowMs: () => number): DropCount {
  const drops: Record<DropReason, number> = { queue_full: 0, too_often: 0 };
  const noticedAtMs: Partial<Record<DropReason, number>> = {};
  let runs = new Map<string, number>();
  let minute = 0;
  const drop = (name: DropReason): void => {
    drops[name]++;
    if (nowMs() - (noticedAtMs[name] ?? -Infinity) < MINUTE_MS) return;
    noticedAtMs[name] = nowMs();
    notice(NOTICES[name]);
  };
  return {
    mayRun(ruleId) {
      const currentMinute = Math.floor(nowMs() / MINUTE_MS);
      if (currentMinute !== minute) runs = new Map();
      minute = currentMinute;
      const count = runs.get(ruleId) ?? 0;
      runs.set(ruleId, count + 1);
      if (count < MAX_RUNS_PER_MINUTE) return true;
      drop("too_often");
      return false;
    },
    drop,
    drops: () => ({ ...drops }),
  };
}

const NOTICES: Readonly<Record<DropReason, string>> = {
  queue_full: "reactions are left out: too many of them wait",
  too_often: `reactions are left out: one rule ran more than ${MAX_RUNS_PER_MINUTE} times in a minute`,
};
