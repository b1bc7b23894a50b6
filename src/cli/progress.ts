import { askDaemon } from "../client/ask-daemon.ts";
import type { Home } from "../home.ts";
import { type DaemonStatus, ProgressBody } from "../serve/contract.ts";

const BAR_CELLS = 30;
const INTERVAL_MS = 100;

export type Progress = NonNullable<DaemonStatus["progress"]>;

/** A bar on stderr while `work` runs, on a terminal only. */
export async function withProgress<T>(read: () => Promise<Progress | null>, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    const progress = await read().catch(() => null);
    if (progress !== null) process.stderr.write(`\r${bar(progress)}`);
    isBusy = false;
  }, INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    process.stderr.write(`\r${" ".repeat(BAR_CELLS + 30)}\r`);
  }
}

export async function readDaemonProgress(home: Home): Promise<Progress | null> {
  return (await askDaemon(home, ProgressBody, "/api/progress", { timeoutMs: 1_000 }))?.progress ?? null;
}

function bar({ work, done, total }: Progress): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_CELLS);
  return `${work} [${"#".repeat(filled)}${" ".repeat(BAR_CELLS - filled)}] ${Math.round(share * 100)}%`;
}
