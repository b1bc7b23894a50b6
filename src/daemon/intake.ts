import { foreignStreams, logFile } from "../config.ts";
import type { Base } from "./base.ts";
import { tellStep } from "./clock.ts";
import { tellError } from "./notices.ts";
import type { Recording } from "./recording.ts";
import { followStreams } from "./streams.ts";
import type { Watch } from "./watching/watching.ts";

/** What comes in by itself: hooks' files, streams of other programs. */
export interface Intake {
  /** What hooks wrote so far is in the store. */
  level(): Promise<void>;
  /** What hooks, streams and transcripts have told so far is in the store. */
  flush(): Promise<void>;
  /** From now on what hooks bring is for the next daemon. */
  close(): Promise<void>;
}

export function startIntake(base: Base, recording: Recording, watch: Watch | null): Intake {
  const { home, env, config, clock, scope, notice, writeLog } = base;
  const { keeper, spool } = recording;
  const streams = followStreams(foreignStreams(config, env, logFile(home, config)), recording, notice);
  spool.start();
  scope.defer(async () => {
    // From here on nothing more is begun.
    clock.close();
    await spool.close();
    await streams.close();
  });
  const flush = async (): Promise<void> => {
    await spool.flush();
    await streams.flush();
    await watch?.flush();
    await keeper.follow();
  };
  clock.onStep((step) => {
    // A laptop sleeps every day: nothing that a person has to look at.
    if (step.kind === "slept") writeLog("info", tellStep(step));
    else notice(tellStep(step));
    flush().catch((error) => notice(`taking in the spool failed: ${tellError(error)}`));
  });
  return {
    async level() {
      await spool.flush();
      await keeper.follow();
    },
    flush,
    close: () => spool.close(),
  };
}
