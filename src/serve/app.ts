import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../app-error.ts";
import type { EventQuery, StoredRow } from "../store/facts.ts";
import { askRoutes } from "./ask-routes.ts";
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
import { fail, type GuardOptions, guard } from "./guard.ts";
import { type HandoverPorts, handoverRoute } from "./handover-route.ts";
import { type HookPorts, hookRoute } from "./hook-route.ts";
import { loginRoutes } from "./login-routes.ts";
import { mcpRoute } from "./mcp-route.ts";
import type { MemoryPorts } from "./memory-ports.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { metricsRoute } from "./metrics-route.ts";
import type { PagePorts } from "./page-ports.ts";
import { policyRoutes } from "./policy-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { isPage, staticRoute } from "./static-route.ts";
import { type SteerAskPorts, steerAskRoutes } from "./steer-ask-routes.ts";
import { streamRoute } from "./stream-route.ts";
import type { WatchPorts } from "./watch-ports.ts";
import { withWholeIds } from "./whole-ids.ts";
import { workerRoutes } from "./worker-routes.ts";
import type { WorkerSessions } from "./worker-sessions.ts";

/** What the routes may ask of the rest. */
export interface AppPorts extends HandoverPorts {
  readonly version: string;
  status(): Promise<DaemonStatus>;
  progress(): DaemonStatus["progress"];
  events(query: EventQuery): Promise<readonly StoredRow[]>;
  /** Sessions whose ids begin so; the whole id alone where it is one. */
  sessionIds?(prefix: string): Promise<readonly string[]>;
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  /** Drains the spool and brings the store level with the log. */
  flush(): Promise<void>;
  /** What is missing of these has no routes. */
  readonly watch?: WatchPorts;
  readonly memory?: MemoryPorts;
  readonly hooks?: HookPorts;
  readonly worker?: WorkerSessions;
  readonly control?: ControlPorts;
  readonly steerAsks?: SteerAskPorts;
  readonly pages?: PagePorts;
}

export function createApp(given: AppPorts, guarding: GuardOptions): Hono {
  const ports = withWholeIds(given);
  const app = new Hono();
  app.use(guard(guarding));
  app.use(limitBodies(ports.steerAsks));
  // `status` is what clients of the worker look for.
  for (const path of ["/api/health", "/health"] as const)
    app.get(path, async (c, next) =>
      isPage(c) ? next() : c.json({ ok: true, status: "ok", version: ports.version, pid: process.pid }),
    );
  app.get("/api/status", async (c) => c.json(await ports.status()));
  app.get("/api/progress", (c) => c.json({ progress: ports.progress() }));
  app.get("/api/events", async (c) => {
    const query = EventsQuery.safeParse(c.req.query());
    if (!query.success) return fail(c, 400, "query_invalid", "the query is not valid", query.error.issues);
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
    if (!request.success) return fail(c, 400, "body_invalid", "the body is not valid", request.error.issues);
    return c.json(await ports.importTranscripts(request.data.root));
  });
  app.post("/api/flush", async (c) => {
    await ports.flush();
    return c.json(await ports.status());
  });
  app.route("/", handoverRoute(ports));
  for (const routes of [sessionRoutes, streamRoute, awayRoutes, metricsRoute])
    mount(app, ports.watch, routes);
  for (const routes of [memoryRoutes, askRoutes]) mount(app, ports.memory, routes);
  mount(app, ports.hooks, hookRoute);
  mount(app, ports.worker, workerRoutes);
  mount(app, ports.control, controlRoutes);
  mount(app, ports.steerAsks, steerAskRoutes);
  for (const routes of [policyRoutes, settingsRoutes]) mount(app, ports.pages, routes);
  mount(app, guarding.logins, (logins) => loginRoutes(logins, guarding));
  app.route("/", mcpRoute(ports));
  app.route("/", staticRoute());
  app.notFound((c) => fail(c, 404, "not_found", `there is no ${c.req.method} ${c.req.path}`));
  app.onError((error, c) =>
    error instanceof AppError
      ? fail(c, 409, error.code, error.message)
      : fail(c, 500, "internal", error.message),
  );
  return app;
}

/** A file of items may be of any length, and is read line by line; nothing else is. */
function limitBodies(asks: SteerAskPorts | undefined): MiddlewareHandler {
  const limited = bodyLimit({
    maxSize: 16 * 1024 * 1024,
    onError: async (c) => {
      if (c.req.path !== "/api/ask/guard" || asks === undefined)
        return fail(c, 413, "body_too_large", "a body has at most 16 MB");
      // Read to its end: who is still sending would not see the answer.
      for await (const _ of c.req.raw.body ?? []);
      return c.json(asks.tooLarge());
    },
  });
  return (c, next) => (c.req.path === "/api/memory/import" ? next() : limited(c, next));
}

function mount<T>(app: Hono, ports: T | undefined, routes: (ports: T) => Hono): void {
  if (ports !== undefined) app.route("/", routes(ports));
  // Named all the same, so that whoever lists the routes sees every one.
  else for (const { method, path } of routes({} as T).routes) app.on(method, path, (c) => c.notFound());
}
