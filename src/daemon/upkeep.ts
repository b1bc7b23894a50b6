import type { Base } from "./base.ts";
import { type Curation, openCuration } from "./curation.ts";
import { errorText } from "./daemon-messages.ts";
import type { Intake } from "./intake.ts";
import type { LongWork } from "./long-work.ts";
import type { Recording } from "./recording.ts";
import type { Memory } from "./remembering/remembering.ts";
import { startRetention } from "./retention.ts";
import type { Monitor } from "./watching/watching.ts";

/** Data removal: what a user forgets, and what is too old. */
export interface Upkeep {
  readonly curation: Curation;
  /** Long work in progress, as text; null: none. */
  currentWork(): string | null;
}

export interface UpkeepParts {
  readonly long: LongWork;
  readonly memory: Memory;
  readonly monitor: Monitor | null;
  readonly intake: Intake;
}

const RETENTION_START_TIMEOUT_MS = 2_000;

export async function startUpkeep(base: Base, recording: Recording, parts: UpkeepParts): Promise<Upkeep> {
  const { reportSlow, notice } = base;
  const { long, memory, monitor, intake } = parts;
  const curation = openCuration(base, recording, {
    memory,
    // What a running import has accepted but not written was accepted before the forgetting.
    flush: async () => {
      await long.waitForImports();
      await intake.flush();
    },
    forgetSessions: (sessionIds) => {
      monitor?.forget(sessionIds);
      monitor?.reload();
    },
  });
  const retention = startRetention(base, recording, {
    flush: () => intake.flush(),
    onRemoved: (sessionIds) => {
      monitor?.forget(sessionIds);
      memory.reload();
    },
  });
  // Before any request is served: completes what the last daemon had yet to forget.
  await reportSlow("forgetting", () => curation.finish()).catch((error) =>
    notice(`forgetting did not finish: ${errorText(error)}`),
  );
  // A long removal must not delay the start.
  await Promise.race([
    retention.run(),
    new Promise((resolve) => setTimeout(resolve, RETENTION_START_TIMEOUT_MS).unref()),
  ]);
  return {
    curation,
    currentWork() {
      if (long.currentWork() !== null) return long.currentWork();
      if (curation.isForgetting()) return "forgetting";
      return retention.isRunning() ? "removing old sessions" : null;
    },
  };
}
