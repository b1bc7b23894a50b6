import type { Base } from "./base.ts";
import { type Curation, openCuration } from "./curation.ts";
import type { Intake } from "./intake.ts";
import type { LongWork } from "./long-work.ts";
import { tellError } from "./notices.ts";
import type { Recording } from "./recording.ts";
import type { Memory } from "./remembering/remembering.ts";
import { keepRetention } from "./retention.ts";
import type { Watch } from "./watching/watching.ts";

/** What is taken away again: what a person forgets, and what is too old. */
export interface Upkeep {
  readonly curation: Curation;
  /** Long work that is under way, in words; null: nothing. */
  work(): string | null;
}

export interface UpkeepParts {
  readonly long: LongWork;
  readonly memory: Memory;
  readonly watch: Watch | null;
  readonly intake: Intake;
}

const RETAIN_MS = 2_000;

export async function startUpkeep(base: Base, recording: Recording, parts: UpkeepParts): Promise<Upkeep> {
  const { tellSlow, notice } = base;
  const { long, memory, watch, intake } = parts;
  const curation = openCuration(base, recording, {
    memory,
    // What an import has accepted and not yet written was accepted before anything was forgotten.
    flush: async () => {
      await long.untilImported();
      await intake.flush();
    },
    forgetSessions: (sessionIds) => {
      watch?.forget(sessionIds);
      watch?.again();
    },
  });
  const retention = keepRetention(base, recording, {
    flush: () => intake.flush(),
    onRemoved: (sessionIds) => {
      watch?.forget(sessionIds);
      memory.again();
    },
  });
  // Before anybody can ask: what was to be forgotten when the last daemon ended.
  await tellSlow("forgetting", () => curation.finish()).catch((error) =>
    notice(`forgetting is not finished: ${tellError(error)}`),
  );
  // Much to remove does not hold up the start.
  await Promise.race([retention.run(), new Promise((resolve) => setTimeout(resolve, RETAIN_MS).unref())]);
  return {
    curation,
    work() {
      if (long.name() !== null) return long.name();
      if (curation.isForgetting()) return "forgetting";
      return retention.isRunning() ? "removing old sessions" : null;
    },
  };
}
