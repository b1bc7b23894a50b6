import { setTimeout } from "node:timers/promises";
import { defineCommand } from "citty";
import { type Daemon, startDaemon } from "../daemon/daemon.ts";
import { openDaemonLog } from "../daemon/daemon-files.ts";
import { errorText } from "../daemon/daemon-messages.ts";
import { type Home, resolveHome } from "../home.ts";
import { agent } from "./agent.ts";
import { note, print } from "./output.ts";
import { toInteger } from "./parse-number.ts";
import { prepareHome } from "./start-daemon.ts";

/** How long to wait for a clean shutdown. */
const STOP_TIMEOUT_MS = 3_000;
const EXIT_DELAY_MS = 500;

export const daemonCommand = defineCommand({
  meta: { name: "daemon", description: "Run the daemon in this process" },
  args: {
    foreground: { type: "boolean", description: "Prepare the home and print next steps" },
    after: {
      type: "string",
      description: "Wait up to 20 s for this pid to exit (used by up)",
    },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    if (args.foreground) await prepareHome(home, process.env);
    const crashed = Promise.withResolvers<{ readonly error: unknown }>();
    for (const event of ["uncaughtException", "unhandledRejection"])
      process.on(event, (error: unknown) => crashed.resolve({ error }));
    const stopSignal = untilStopSignal();
    const starting = startDaemon(home, process.env, { afterPid: toInteger("after", args.after, { min: 1 }) });
    const stopDeadline = stopSignal.then(() => setTimeout(STOP_TIMEOUT_MS, null, { ref: false }));
    const started = await Promise.race([starting, crashed.promise, stopDeadline]).catch(exitSoon);
    // Stopped while waiting for the database: nothing is accepted yet, and the kernel releases the lock.
    if (started === null) process.exit(0);
    if ("error" in started) return crash(home, started.error, starting);
    if (args.foreground) print(welcome(home.dir, started.port, started.loginUrl()));
    started.homeLost.then(() => {
      note(`hookline: ${home.dir} was removed; stopping the daemon`);
      // Anything written now would recreate the home.
      process.exit(1);
    });
    const end = await Promise.race([stopSignal, started.handedOver, crashed.promise]);
    if (end !== undefined) return crash(home, end.error, starting);
    await started.stop();
  },
});

/** After a failed start is reported, open resources must not keep the process alive. */
function exitSoon(error: unknown): never {
  globalThis.setTimeout(() => process.exit(1), EXIT_DELAY_MS).unref();
  throw error;
}

function untilStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}

/** Reports why, releases what it can, and exits: a broken daemon would hold the lock and record nothing. */
async function crash(home: Home, error: unknown, starting: Promise<Daemon>): Promise<void> {
  const why = `crashed: ${errorText(error)}`;
  openDaemonLog(home.daemonLog, "error")("error", why);
  note(`hookline: ${why}`);
  const stopped = starting.then((daemon) => daemon.stop({ crashed: true }));
  await Promise.race([stopped, setTimeout(STOP_TIMEOUT_MS)]).catch(() => undefined);
  process.exit(1);
}

function welcome(home: string, port: number | null, address: string | null): string {
  return [
    address === null
      ? `Hookline is running on port ${port}.`
      : `Hookline is running. Open ${address} (works once, within 10 minutes; later: bin/hookline open)`,
    `Data is in ${home}. Press Ctrl-C to stop.`,
    "",
    "Next, in another terminal:",
    `  bin/hookline install     install the hooks in ${agent.label}`,
    `  ${agent.installer.program.headlessCommand} "say hi"       or start any session`,
    "  bin/hookline sessions    see what each session does and which needs you",
    "  bin/hookline search X    search what they did and learned",
    "  bin/hookline tail -f     watch events as they are recorded",
  ].join("\n");
}
