import { writeAtomically } from "../files/atomic-file.ts";
import type { AppPorts } from "../serve/app.ts";
import type { DaemonFile } from "../serve/contract.ts";
import { listen } from "../serve/listen.ts";
import { openLogins } from "../serve/logins.ts";
import { VERSION } from "../version.ts";
import type { Base } from "./base.ts";
import { readOrMakeToken, removeFiles } from "./daemon-files.ts";

export interface Listening {
  readonly port: number | null;
  /** From now on whoever asks is answered; until then they wait. */
  serve(ports: AppPorts): void;
  /** The address that opens the pages in a browser and lets it in, once and for some minutes. */
  loginAddress(): string | null;
  /** May be called twice. */
  close(): Promise<void>;
}

/** Somebody reads an address and then opens it. */
const LOGIN_MS = 10 * 60_000;

/** Before anything that can take long: whoever asks is told that the daemon is starting. */
export async function startListening({ home, config, scope, notice }: Base): Promise<Listening> {
  const serving = Promise.withResolvers<AppPorts>();
  const logins = openLogins({ file: home.logins, nowMs: Date.now });
  const served = await listen(serving.promise, {
    version: VERSION,
    port: config.port,
    sock: home.sock,
    token: readOrMakeToken(home),
    compat: config.serve.compat,
    logins,
  });
  const { port } = served;
  scope.defer(() => removeFiles(home.pidFile, home.daemonJson));
  scope.defer(() => served.close());
  if (served.notice !== null) notice(served.notice);
  const file: DaemonFile = { version: VERSION, pid: process.pid, port, sock: home.sock };
  writeAtomically(home.daemonJson, `${JSON.stringify(file, null, 2)}\n`);
  writeAtomically(home.pidFile, `${process.pid}\n`);
  return {
    port,
    serve: (ports) => serving.resolve(ports),
    loginAddress: () =>
      port === null ? null : `http://127.0.0.1:${port}/#login=${logins.createCode(LOGIN_MS)}`,
    close: () => served.close(),
  };
}
