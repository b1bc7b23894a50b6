import { AppError } from "../app-error.ts";
import type { Env, Home } from "../home.ts";
import type { DaemonStatus, ImportResult, RebuildResult } from "../serve/contract.ts";
import { VERSION } from "../version.ts";
import { type DaemonOptions, openBase } from "./base.ts";
import { openDaemonLog } from "./daemon-files.ts";
import { homeTrouble } from "./home-trouble.ts";
import { startIntake } from "./intake.ts";
import { startListening } from "./listening.ts";
import { openLongWork } from "./long-work.ts";
import { tellError } from "./notices.ts";
import { startRecording } from "./recording.ts";
import { openScope, type Scope } from "./scope.ts";
import { startWatch } from "./watching/watching.ts";

export interface Daemon {
  readonly port: number | null;
  status(): Promise<DaemonStatus>;
  /** Takes what lies in the spool into the database. */
  flush(): Promise<void>;
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  /** The API without a server, for a command that found no daemon. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The address that opens the pages in a browser and lets it in, once and for some minutes. */
  loginAddress(): string | null;
  /** A newer version asked and is to have the home: `stop` is next. */
  readonly handedOver: Promise<void>;
  /** The home was removed, or replaced by another. Nothing is left that could be kept or stopped in order. */
  readonly homeLost: Promise<void>;
  /** After a crash its short life stays written down. */
  stop(how?: { crashed?: boolean }): Promise<void>;
}

/** The composition root: the parts of a daemon in order. What opens later closes first. */
export async function startDaemon(
  home: Home,
  env: Env = process.env,
  options: DaemonOptions = {},
): Promise<Daemon> {
  const scope = openScope();
  try {
    return await start(home, env, options, scope);
  } catch (error) {
    // Half a daemon must not hold the lock and go on alone.
    await scope.close("not started").catch(() => undefined);
    const trouble = homeTrouble(home, error);
    // One that a hook started has no other place to say it.
    const isOfOthers = trouble instanceof AppError && ["daemon_running", "home_lost"].includes(trouble.code);
    if (options.serve !== false && !isOfOthers)
      openDaemonLog(home.daemonLog, "error")("error", `did not start: ${tellError(trouble)}`);
    throw trouble;
  }
}

/** In the order of the data's way from its end, so that nothing is taken in before it can be kept, remembered and shown. */
async function start(home: Home, env: Env, options: DaemonOptions, scope: Scope): Promise<Daemon> {
  const begunMs = performance.now();
  const base = await openBase(home, env, options, scope);
  const { isDaemon } = base;
  const listening = isDaemon ? await startListening(base) : null;
  const port = listening?.port ?? null;
  const recording = await startRecording(base);
  const long = openLongWork(base, recording);
  // Once more: it began to listen before there was anything to ask, and ends while there still is.
  scope.defer(() => listening?.close());
  // Lazy: whoever asks whether the daemon is there is answered a quarter sooner.
  const [{ startMemory }, { startUpkeep }, { openJudge }, { startSteer }, { openPorts }] = await Promise.all([
    import("./remembering/remembering.ts"),
    import("./upkeep.ts"),
    import("../control/open-judge.ts"),
    import("./steering/steering.ts"),
    import("./serving.ts"),
  ]);
  const memory = await startMemory(base, recording, { long, port });
  const watch = isDaemon ? await startWatch(base, recording, long) : null;
  const intake = startIntake(base, recording, watch);
  const upkeep = await startUpkeep(base, recording, { long, memory, watch, intake });
  const judge = openJudge(env);
  scope.defer(() => judge.close());
  const parts = { port, long, memory, intake, upkeep, judge };
  const steer = watch && (await startSteer(base, recording, { ...parts, watch }));
  const handedOver = Promise.withResolvers<void>();
  const ports = openPorts(base, recording, { ...parts, watch, steer, onHandedOver: handedOver.resolve });
  // First of all: what closes next may wait for the store.
  scope.defer(() => long.giveUp());
  listening?.serve(ports);
  const tookMs = Math.round(performance.now() - begunMs);
  if (listening !== null)
    base.writeLog("info", `hookline ${VERSION} serves ${home.dir} on port ${port}, after ${tookMs} ms`);
  return {
    port,
    status: ports.status,
    async flush() {
      await intake.flush();
      await memory.flush();
    },
    rebuild: () => long.rebuild(),
    importTranscripts: (root) => long.importTranscripts(root),
    ask: async (path, init) => {
      const { createApp } = await import("../serve/app.ts");
      return createApp(ports, { token: "", via: "socket", port: () => null }).request(path, init);
    },
    loginAddress: () => listening?.loginAddress() ?? null,
    handedOver: handedOver.promise,
    homeLost: base.taken.lost,
    stop: ({ crashed = false } = {}) => scope.close(crashed ? "crashed" : "stopped"),
  };
}
