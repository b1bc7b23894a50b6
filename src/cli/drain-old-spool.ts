import { askDaemon } from "../client/ask-daemon.ts";
import { startDaemon } from "../daemon/daemon.ts";
import type { Home } from "../home.ts";
import { Health } from "../serve/contract.ts";
import { listSpool } from "../spool/read-spool.ts";
import { commandName } from "./command-name.ts";

const MAX_SPOOL_AGE_MS = 24 * 3_600_000;

/** Records payloads that no daemon has read for a day, so that raw data does not stay in the spool. */
export async function drainOldSpool(home: Home): Promise<void> {
  const oldest = listSpool(home.spool)[0];
  if (oldest === undefined || Date.now() - Number(oldest.timeNs / 1_000_000n) < MAX_SPOOL_AGE_MS) return;
  if ((await askDaemon(home, Health, "/api/health", { timeoutMs: 1_000 }).catch(() => null)) !== null) return;
  try {
    const daemon = await startDaemon(home, process.env, { serve: false, command: commandName() });
    await daemon.flush();
    await daemon.stop();
  } catch {
    // Another process is draining it, or the home is not writable: the command itself reports what matters.
  }
}
