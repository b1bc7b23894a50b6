import { foreignStreams, logFile } from "../config.ts";
import type { Base } from "./base.ts";
import { clockStepText } from "./clock.ts";
import { errorText } from "./daemon-messages.ts";
import type { Recording } from "./recording.ts";
import { followStreams } from "./streams.ts";
import type { Monitor } from "./watching/watching.ts";

/** Automatic sources: hooks' files, and streams of other programs. */
export interface Intake {
  /** Resolves when everything hooks wrote so far is in the store. */
  catchUp(): Promise<void>;
  /** Resolves when everything from hooks, streams and transcripts so far is in the store. */
  flush(): Promise<void>;
  /** Leaves what hooks write from now on to the next daemon. */
  close(): Promise<void>;
}

export function startIntake(base: Base, recording: Recording, monitor: Monitor | null): Intake {
  const { home, env, config, clock, scope, notice, writeLog } = base;
  const { liveStore, spool } = recording;
  const streams = followStreams(foreignStreams(config, env, logFile(home, config)), recording, notice);
  spool.start();
  scope.defer(async () => {
    // Nothing new starts from here on.
    clock.close();
    await spool.close();
    await streams.close();
  });
  const flush = async (): Promise<void> => {
    await spool.flush();
    await streams.flush();
    await monitor?.flush();
    await liveStore.follow();
  };
  clock.onStep((step) => {
    // A laptop sleeps every day: no reason to notify the user.
    if (step.kind === "slept") writeLog("info", clockStepText(step));
    else notice(clockStepText(step));
    flush().catch((error) => notice(`reading the spool failed: ${errorText(error)}`));
  });
  return {
    async catchUp() {
      await spool.flush();
      await liveStore.follow();
    },
    flush,
    close: () => spool.close(),
  };
}
