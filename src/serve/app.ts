import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../app-error.ts";
import type { EventQuery, StoredRow } from "../store/facts.ts";
import { type AuthorizeOptions, authorize, errorResponse } from "./authorize.ts";
import { awayRoutes } from "./away-routes.ts";
import {
  type DaemonStatus,
  EventsQuery,
  ImportRequest,
  type ImportResult,
  type RebuildResult,
} from "./contract.ts";
import type { ControlPorts } from "./control-ports.ts";
import { controlRoutes } from "./control-routes.ts";
import { type HandoverPorts, handoverRoute } from "./handover-route.ts";
import { type HookPorts, hookRoute } from "./hook-route.ts";
import { hooksRoutes } from "./hooks-routes.ts";
import { injectionRoutes } from "./injection-routes.ts";
import { loginRoutes } from "./login-routes.ts";
import { mcpRoute } from "./mcp-route.ts";
import type { MemoryPorts } from "./memory-ports.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { metricsRoute } from "./metrics-route.ts";
import type { PagePorts } from "./page-ports.ts";
import { policyRoutes } from "./policy-routes.ts";
import { withResolvedIds } from "./resolve-ids.ts";
import { sessionRoutes } from "./session-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { isPage, staticRoute } from "./static-route.ts";
import { streamRoute } from "./stream-route.ts";
import { type TerminalHookPorts, terminalHookRoutes } from "./terminal-hook-routes.ts";
import type { WatchPorts } from "./watch-ports.ts";
import { workerRoutes } from "./worker-routes.ts";
import type { WorkerSessions } from "./worker-sessions.ts";

/** What the routes need from the rest of the daemon. */
export interface AppPorts extends HandoverPorts {
  readonly version: string;
  status(): Promise<DaemonStatus>;
  progress(): DaemonStatus["progress"];
  events(query: EventQuery): Promise<readonly StoredRow[]>;
  /** Sessions whose ids start with `prefix`; only the exact match if there is one. */
  sessionIds?(prefix: string): Promise<readonly string[]>;
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  /** Drains the spool and brings the store up to date with the log. */
  flush(): Promise<void>;
  /** Ports that are missing get no routes. */
  readonly watch?: WatchPorts;
  readonly memory?: MemoryPorts;
  readonly hooks?: HookPorts;
  readonly worker?: WorkerSessions;
  readonly control?: ControlPorts;
  readonly terminalHooks?: TerminalHookPorts;
  readonly pages?: PagePorts;
}

export function createApp(inputPorts: AppPorts, authorization: AuthorizeOptions): Hono {
  const ports = withResolvedIds(inputPorts);
  const app = new Hono();
  app.use(authorize(authorization));
  app.use(limitBodies(ports.terminalHooks));
  // Clients of the worker expect `status`.
  for (const path of ["/api/health", "/health"] as const)
    app.get(path, async (c, next) =>
      isPage(c) ? next() : c.json({ ok: true, status: "ok", version: ports.version, pid: process.pid }),
    );
  app.get("/api/status", async (c) => c.json(await ports.status()));
  app.get("/api/progress", (c) => c.json({ progress: ports.progress() }));
  app.get("/api/events", async (c) => {
    const query = EventsQuery.safeParse(c.req.query());
    if (!query.success) return errorResponse(c, 400, "query_invalid", "invalid query", query.error.issues);
    const { after, limit, session } = query.data;
    const rows = await ports.events({ after, limit, sessionId: session });
    return c.json({
      events: rows.map(({ seq, event }) => ({ seq, ...event })),
      next: rows.at(-1)?.seq ?? after,
    });
  });
  app.post("/api/rebuild", async (c) => c.json(await ports.rebuild()));
  app.post("/api/import", async (c) => {
    const request = ImportRequest.safeParse(await c.req.json().catch(() => undefined));
    if (!request.success) return errorResponse(c, 400, "body_invalid", "invalid body", request.error.issues);
    return c.json(await ports.importTranscripts(request.data.root));
  });
  app.post("/api/flush", async (c) => {
    await ports.flush();
    return c.json(await ports.status());
  });
  app.route("/", handoverRoute(ports));
  for (const routes of [sessionRoutes, streamRoute, awayRoutes, metricsRoute])
    mount(app, ports.watch, routes);
  for (const routes of [memoryRoutes, injectionRoutes]) mount(app, ports.memory, routes);
  mount(app, ports.hooks, hookRoute);
  mount(app, ports.worker, workerRoutes);
  mount(app, ports.control, controlRoutes);
  mount(app, ports.terminalHooks, terminalHookRoutes);
  for (const routes of [policyRoutes, settingsRoutes, hooksRoutes]) mount(app, ports.pages, routes);
  mount(app, authorization.logins, (logins) => loginRoutes(logins, authorization));
  app.route("/", mcpRoute(ports));
  app.route("/", staticRoute());
  app.notFound((c) => errorResponse(c, 404, "not_found", `no route ${c.req.method} ${c.req.path}`));
  app.onError((error, c) =>
    error instanceof AppError
      ? errorResponse(c, 409, error.code, error.message)
      : errorResponse(c, 500, "internal", error.message),
  );
  return app;
}

/** An item import may have any length and is read line by line; every other body is limited. */
function limitBodies(terminalHooks: TerminalHookPorts | undefined): MiddlewareHandler {
  const limited = bodyLimit({
    maxSize: 16 * 1024 * 1024,
    onError: async (c) => {
      if (c.req.path !== "/api/ask/guard" || terminalHooks === undefined)
        return errorResponse(c, 413, "body_too_large", "the body is larger than 16 MB");
      // Read to the end: a client that is still sending would not see the answer.
      for await (const _ of c.req.raw.body ?? []);
      return c.json(terminalHooks.tooLarge());
    },
  });
  return (c, next) => (c.req.path === "/api/memory/import" ? next() : limited(c, next));
}

function mount<T>(app: Hono, ports: T | undefined, routes: (ports: T) => Hono): void {
  if (ports !== undefined) app.route("/", routes(ports));
  // Registered anyway, so that a list of the routes is complete.
  else for (const { method, path } of routes({} as T).routes) app.on(method, path, (c) => c.notFound());
}
