import { chmodSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { describePortOwner, findPortOwner } from "../port-owner.ts";
import { answerHealth } from "./answer-health.ts";
import type { AppPorts } from "./app.ts";
import type { Via } from "./authorize.ts";
import type { Logins } from "./logins.ts";

export interface HttpListener {
  readonly port: number | null;
  /** Why the requested port is not used. */
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

/** How many ports after a port in use are tried. */
const MAX_NEXT_PORTS = 20;

/**
 * Serves on 127.0.0.1 and on the unix socket, even while the app behind them is still being opened. A port in use must
 * not prevent recording: the next free one is used.
 */
export async function listen(ports: Promise<AppPorts>, options: ListenOptions): Promise<HttpListener> {
  let port: number | null = null;
  let isStarting = true;
  // A rejection ends the process, and its source reports why.
  ports.then(
    () => {
      isStarting = false;
    },
    () => undefined,
  );
  const createServerFor = (via: Via): Server => {
    const { token, compat, logins } = options;
    const authorization = { token, via, port: () => port, compat, logins };
    const health = { version: options.version, via, port: () => port, isStarting: () => isStarting };
    // Lazy: the routes and their dependencies take 10 MB and a third of the startup time.
    let routes: Promise<RequestListener> | null = null;
    const server = createServer((request, response) => {
      if (answerHealth(request, response, health)) return;
      routes ??= import("./request-listener.ts")
        .then(({ openRequestListener }) => openRequestListener(ports, options.version, authorization))
        .finally(() => {
          setHalfOpen(server, false);
        });
      routes.then(
        (listener) => listener(request, response),
        () => response.destroy(),
      );
    });
    // Answers a client that has half-closed its connection even while the routes load.
    setHalfOpen(server, true);
    return server;
  };
  const [tcp, socket] = [createServerFor("tcp"), createServerFor("socket")];
  rmSync(options.sock, { force: true });
  await startListening(socket, () => socket.listen(options.sock));
  try {
    chmodSync(options.sock, 0o600);
    port = await firstFreePort(tcp, options.port);
  } catch (error) {
    // Half a server would answer `starting` forever.
    await closeServer(socket);
    throw error;
  }
  const notice =
    port === options.port || options.port === 0
      ? null
      : `port ${options.port} is taken by ${describePortOwner(await findPortOwner(options.port))}; serving on ${port}`;
  return {
    port,
    notice,
    async close() {
      await Promise.all([closeServer(tcp), closeServer(socket)]);
      rmSync(options.sock, { force: true });
    },
  };
}

async function firstFreePort(server: Server, preferredPort: number): Promise<number | null> {
  const last = preferredPort === 0 ? 0 : Math.min(preferredPort + MAX_NEXT_PORTS, 65_535);
  for (let port = preferredPort; port <= last; port++) {
    try {
      await startListening(server, () => server.listen(port, "127.0.0.1"));
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
  return null;
}

function startListening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    start();
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Not in Node's types. When off, a client's last byte ends its request, so none outlives its client. */
function setHalfOpen(server: Server, isAllowed: boolean): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = isAllowed;
}
