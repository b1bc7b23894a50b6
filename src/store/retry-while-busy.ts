import { setTimeout } from "node:timers/promises";
import { storeErrorKind } from "./store-error.ts";

const RETRY_MS = 250;
const REPORT_AT_ATTEMPT = 4;

/** Waits indefinitely for a store that another process has locked. */
export async function retryWhileBusy<T>(
  work: () => T | Promise<T>,
  onBusy: (error: unknown) => void = () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (storeErrorKind(error) !== "busy") throw error;
      if (attempt === REPORT_AT_ATTEMPT) onBusy(error);
      await setTimeout(RETRY_MS);
    }
  }
}
