import { setTimeout } from "node:timers/promises";
import { storeTrouble } from "./store-error.ts";

const BUSY_MS = 250;
const BUSY_TOLD = 4;

/** A store that another process keeps to itself is waited for, however long that takes. */
export async function whenFree<T>(
  work: () => T | Promise<T>,
  onBusy: (error: unknown) => void = () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (storeTrouble(error) !== "busy") throw error;
      if (attempt === BUSY_TOLD) onBusy(error);
      await setTimeout(BUSY_MS);
    }
  }
}
