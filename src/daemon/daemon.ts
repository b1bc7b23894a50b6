import { AppError } from "../app-error.ts";
import type { Env, Home } from "../home.ts";
import type { DaemonStatus, ImportResult, RebuildResult } from "../serve/contract.ts";
import { VERSION } from "../version.ts";
import { type DaemonOptions, openBase } from "./base.ts";
import { openDaemonLog } from "./daemon-files.ts";
import { errorText } from "./daemon-messages.ts";
import { toHomeError } from "./home-errors.ts";
import { startIntake } from "./intake.ts";
import { startListening } from "./listening.ts";
import { openLongWork } from "./long-work.ts";
import { startRecording } from "./recording.ts";
import { openScope, type Scope } from "./scope.ts";
import { startMonitor } from "./watching/watching.ts";

export interface Daemon {
  readonly port: number | null;
  status(): Promise<DaemonStatus>;
  /** Ingests the spool into the database. */
  flush(): Promise<void>;
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  /** The API without a server, for a command that found no daemon. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The URL that opens the pages in a browser and signs in, valid once and for a few minutes. */
  loginUrl(): string | null;
  /** Resolves when a newer version should take over the home: `stop` comes next. */
  readonly handedOver: Promise<void>;
  /** The home was removed or replaced. Nothing is left to save or to stop cleanly. */
  readonly homeLost: Promise<void>;
  /** After a crash, its short run stays recorded. */
  stop(how?: { crashed?: boolean }): Promise<void>;
}

/** The composition root: opens the parts of a daemon in order. What opens later closes first. */
export async function startDaemon(
  home: Home,
  env: Env = process.env,
  options: DaemonOptions = {},
): Promise<Daemon> {
  const scope = openScope();
  try {
    return await start(home, env, options, scope);
  } catch (error) {
    // A half-started daemon must not keep the lock.
    await scope.close("not started").catch(() => undefined);
    const homeError = toHomeError(home, error);
    // A daemon started by a hook has no other way to report it.
    const isExpected =
      homeError instanceof AppError && ["daemon_running", "home_lost"].includes(homeError.code);
    if (options.serve !== false && !isExpected)
      openDaemonLog(home.daemonLog, "error")("error", `did not start: ${errorText(homeError)}`);
    throw homeError;
  }
}

/** Opens the data's path from its end: nothing is ingested before it can be stored, remembered and shown. */
async function start(home: Home, env: Env, options: DaemonOptions, scope: Scope): Promise<Daemon> {
  const startedMs = performance.now();
  const base = await openBase(home, env, options, scope);
  const { isDaemon } = base;
  const listening = isDaemon ? await startListening(base) : null;
  const port = listening?.port ?? null;
  const recording = await startRecording(base);
  const longWork = openLongWork(base, recording);
  // Deferred again: it listens before there is anything to serve, and must close while there still is.
  scope.defer(() => listening?.close());
  // Lazy: health answers 25 % sooner.
  const [{ startMemory }, { startUpkeep }, { openJudge }, { startSteering }, { createAppPorts }] =
    await Promise.all([
      import("./remembering/remembering.ts"),
      import("./upkeep.ts"),
      import("../control/open-judge.ts"),
      import("./steering/steering.ts"),
      import("./serving.ts"),
    ]);
  const memory = await startMemory(base, recording, { long: longWork, port });
  const monitor = isDaemon ? await startMonitor(base, recording, longWork) : null;
  const intake = startIntake(base, recording, monitor);
  const upkeep = await startUpkeep(base, recording, { long: longWork, memory, monitor: monitor, intake });
  const judge = openJudge(env);
  scope.defer(() => judge.close());
  const parts = { port, long: longWork, memory, intake, upkeep, judge };
  const steering = monitor && (await startSteering(base, recording, { ...parts, monitor: monitor }));
  const handedOver = Promise.withResolvers<void>();
  const ports = createAppPorts(base, recording, {
    ...parts,
    monitor: monitor,
    steering: steering,
    onHandedOver: handedOver.resolve,
  });
  // Runs first at close: the next parts to close may wait for the store.
  scope.defer(() => longWork.abort());
  listening?.serve(ports);
  const tookMs = Math.round(performance.now() - startedMs);
  if (listening !== null)
    base.writeLog("info", `hookline ${VERSION} serves ${home.dir} on port ${port}, after ${tookMs} ms`);
  return {
    port,
    status: ports.status,
    async flush() {
      await intake.flush();
      await memory.flush();
    },
    rebuild: () => longWork.rebuild(),
    importTranscripts: (root) => longWork.importTranscripts(root),
    ask: async (path, init) => {
      const { createApp } = await import("../serve/app.ts");
      return createApp(ports, { token: "", via: "socket", port: () => null }).request(path, init);
    },
    loginUrl: () => listening?.loginUrl() ?? null,
    handedOver: handedOver.promise,
    homeLost: base.acquiredHome.lost,
    stop: ({ crashed = false } = {}) => scope.close(crashed ? "crashed" : "stopped"),
  };
}
