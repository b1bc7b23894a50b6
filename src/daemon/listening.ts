import { writeAtomically } from "../files/atomic-file.ts";
import type { AppPorts } from "../serve/app.ts";
import type { DaemonFile } from "../serve/contract.ts";
import { listen } from "../serve/listen.ts";
import { openLogins } from "../serve/logins.ts";
import { VERSION } from "../version.ts";
import type { Base } from "./base.ts";
import { readOrCreateToken, removeFiles } from "./daemon-files.ts";

export interface Listening {
  readonly port: number | null;
  /** Starts serving. Until then requests wait, except health, which answers `starting`. */
  serve(ports: AppPorts): void;
  /** A one-time URL that opens the pages and logs the browser in; expires after `LOGIN_CODE_TTL_MS`. */
  loginUrl(): string | null;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Enough time to read a URL and then open it. */
const LOGIN_CODE_TTL_MS = 10 * 60_000;

/** Listen before any slow work, so clients get `starting` instead of a refused connection. */
export async function startListening({ home, config, scope, notice }: Base): Promise<Listening> {
  const serving = Promise.withResolvers<AppPorts>();
  const logins = openLogins({ file: home.logins, nowMs: Date.now });
  const server = await listen(serving.promise, {
    version: VERSION,
    port: config.port,
    sock: home.sock,
    token: readOrCreateToken(home),
    compat: config.serve.compat,
    logins,
  });
  const { port } = server;
  scope.defer(() => removeFiles(home.pidFile, home.daemonJson));
  scope.defer(() => server.close());
  if (server.notice !== null) notice(server.notice);
  const file: DaemonFile = { version: VERSION, pid: process.pid, port, sock: home.sock };
  writeAtomically(home.daemonJson, `${JSON.stringify(file, null, 2)}\n`);
  writeAtomically(home.pidFile, `${process.pid}\n`);
  return {
    port,
    serve: (ports) => serving.resolve(ports),
    loginUrl: () =>
      port === null ? null : `http://127.0.0.1:${port}/#login=${logins.createCode(LOGIN_CODE_TTL_MS)}`,
    close: () => server.close(),
  };
}
