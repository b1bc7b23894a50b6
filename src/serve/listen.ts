import { chmodSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { ownerText, whoListens } from "../port-owner.ts";
import { answerHealth } from "./answer-health.ts";
import type { AppPorts } from "./app.ts";
import type { Via } from "./guard.ts";
import type { Logins } from "./logins.ts";

export interface Served {
  readonly port: number | null;
  /** Why not the port that was asked for. */
  readonly notice: string | null;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly version: string;
  readonly port: number;
  readonly sock: string;
  readonly token: string;
  readonly compat?: boolean;
  readonly logins?: Logins;
}

/** How many ports after the taken one are tried. */
const NEXT_PORTS = 20;

/**
 * Serves on 127.0.0.1 and on the unix socket, also while what it serves is still being opened. A taken port is
 * no reason not to record: the next one is taken.
 */
export async function listen(ports: Promise<AppPorts>, options: ListenOptions): Promise<Served> {
  let port: number | null = null;
  let isStarting = true;
  // One that never comes ends the process: whoever promised it says why.
  ports.then(
    () => {
      isStarting = false;
    },
    () => undefined,
  );
  const serverOf = (via: Via): Server => {
    const { token, compat, logins } = options;
    const guarding = { token, via, port: () => port, compat, logins };
    const health = { version: options.version, via, port: () => port, isStarting: () => isStarting };
    // Lazy: the routes and what they stand on take 10 MB and a third of the start.
    let routes: Promise<RequestListener> | null = null;
    const server = createServer((request, response) => {
      if (answerHealth(request, response, health)) return;
      routes ??= import("./request-listener.ts")
        .then(({ openRequestListener }) => openRequestListener(ports, options.version, guarding))
        .finally(() => {
          halfOpen(server, false);
        });
      routes.then(
        (listener) => listener(request, response),
        () => response.destroy(),
      );
    });
    // A client that has said all it wants to say is answered also while the routes load.
    halfOpen(server, true);
    return server;
  };
  const [tcp, socket] = [serverOf("tcp"), serverOf("socket")];
  rmSync(options.sock, { force: true });
  await listening(socket, () => socket.listen(options.sock));
  try {
    chmodSync(options.sock, 0o600);
    port = await firstFreePort(tcp, options.port);
  } catch (error) {
    // Half a server would answer that it is starting, for ever.
    await closed(socket);
    throw error;
  }
  const notice =
    port === options.port || options.port === 0
      ? null
      : `port ${options.port} is taken by ${ownerText(await whoListens(options.port))}; serving on ${port}`;
  return {
    port,
    notice,
    async close() {
      await Promise.all([closed(tcp), closed(socket)]);
      rmSync(options.sock, { force: true });
    },
  };
}

async function firstFreePort(server: Server, wanted: number): Promise<number | null> {
  const last = wanted === 0 ? 0 : Math.min(wanted + NEXT_PORTS, 65_535);
  for (let port = wanted; port <= last; port++) {
    try {
      await listening(server, () => server.listen(port, "127.0.0.1"));
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
  return null;
}

function listening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    start();
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Not in the types. Otherwise a request ends with its client's last byte, so that nobody is held for one who left. */
function halfOpen(server: Server, isAllowed: boolean): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = isAllowed;
}
