import { randomUUID } from "node:crypto";
import { z } from "zod";
import { askDaemon } from "../../client/ask-daemon.ts";
import type { ViewerRequest } from "../../control/control-contract.ts";
import type { Home } from "../../home.ts";

/** Reports to the daemon which requests a person has on this screen. */
export interface Viewer {
  /** What is drawn now; null if no requests are shown. */
  setShown(view: Pick<ViewerRequest, "sessionId" | "requests"> | null): void;
  /** Whether the terminal has the focus; one that does not report it counts as focused. */
  setFocused(isFocused: boolean): void;
  close(): Promise<void>;
}

/** The daemon forgets a viewer that is silent for 7 s. */
const REPORT_INTERVAL_MS = 3_000;
const TIMEOUT_MS = 1_000;

export function openViewer(home: Home): Viewer {
  const viewer = `top-${randomUUID()}`;
  let drawn: Parameters<Viewer["setShown"]>[0] = null;
  let isFocused = true;
  let lastReport = "";

  const report = async (looking: boolean): Promise<void> => {
    const body = { viewer, looking, ...(looking && drawn !== null ? drawn : {}) };
    const options = { method: "POST", body, timeoutMs: TIMEOUT_MS };
    // If the daemon is down, the next report reaches it.
    await askDaemon(home, z.unknown(), "/api/control/viewer", options).catch(() => undefined);
  };
  const update = (isDue: boolean): void => {
    const looking = isFocused && drawn !== null;
    const state = JSON.stringify([looking, looking ? drawn : null]);
    if (state === lastReport && !(isDue && looking)) return;
    lastReport = state;
    void report(looking);
  };
  const timer = setInterval(() => update(true), REPORT_INTERVAL_MS);

  return {
    setShown(view) {
      drawn = view;
      update(false);
    },
    setFocused(hasFocus) {
      isFocused = hasFocus;
      update(false);
    },
    async close() {
      clearInterval(timer);
      await report(false);
    },
  };
}
