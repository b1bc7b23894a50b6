import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real SSE server on a unix socket that can stop and restart. */
export interface StreamServer {
  readonly dir: string;
  readonly sock: string;
  /** The `Last-Event-ID` of every connection so far. */
  readonly lastEventIds: (string | undefined)[];
  readonly paths: (string | undefined)[];
  /** Closes the current connections. */
  disconnectClients(): void;
  /** Answers every following request with this error. */
  refuse(status: number, body: unknown): void;
  send(event: string, data: unknown, id?: string): void;
  up(): Promise<void>;
  down(): Promise<void>;
  close(): Promise<void>;
}

export async function openStreamServer(onConnect: (server: StreamServer) => void): Promise<StreamServer> {
  const dir = mkdtempSync(join(tmpdir(), "hookline-stream-"));
  const clients = new Set<ServerResponse>();
  const lastEventIds: (string | undefined)[] = [];
  const paths: (string | undefined)[] = [];
  let refusal: { readonly status: number; readonly body: unknown } | null = null;
  let http = createServer();
  const server: StreamServer = {
    dir,
    sock: join(dir, "sock"),
    lastEventIds,
    paths,
    disconnectClients() {
      for (const client of clients) client.end();
      clients.clear();
    },
    refuse(status, body) {
      refusal = { status, body };
    },
    send(event, data, id) {
      const head = id === undefined ? "" : `id: ${id}\n`;
      for (const client of clients) client.write(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    up() {
      http = createServer((request, response) => {
        lastEventIds.push(request.headers["last-event-id"] as string | undefined);
        paths.push(request.url);
        if (refusal !== null) {
          response.writeHead(refusal.status).end(JSON.stringify(refusal.body));
          return;
        }
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("retry: 1000\n\n");
        clients.add(response);
        onConnect(server);
      });
      return new Promise((resolve) => http.listen(server.sock, resolve));
    },
    down() {
      clients.clear();
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
    async close() {
      await server.down();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  await server.up();
  return server;
}
