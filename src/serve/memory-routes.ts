import { type Context, Hono } from "hono";
import type { ItemDetail } from "../memory/memory-contract.ts";
import { errorResponse } from "./authorize.ts";
import { bodyLines, toLineStream } from "./body-lines.ts";
import type { MemoryPorts } from "./memory-ports.ts";
import {
  ClaudeMemRequest,
  ExportQuery,
  ForgetRequest,
  type ItemsAnswer,
  ItemsRequest,
  MarkRequest,
  SearchQuery,
  TimelineQuery,
} from "./memory-queries.ts";
import { RowId } from "./query-values.ts";
import { readBody, readQuery } from "./read-request.ts";

/** Search, show, curate, export and import memory. */
export function memoryRoutes(memory: MemoryPorts): Hono {
  return new Hono()
    .get("/api/search", async (c) => {
      const query = readQuery(c, SearchQuery);
      return query.ok ? c.json(await memory.search(query.data)) : query.response;
    })
    .get("/api/timeline", async (c) => {
      const query = readQuery(c, TimelineQuery);
      if (!query.ok) return query.response;
      const found = await memory.timeline(query.data);
      if (found !== null) return c.json(found);
      const what = query.data.anchor === undefined ? "no results for that query" : undefined;
      return errorResponse(c, 404, "item_unknown", what ?? `item ${query.data.anchor} not found`);
    })
    .post("/api/observations/batch", async (c) => {
      const request = await readBody(c, ItemsRequest);
      return request.ok ? c.json(await itemsAnswer(memory, request.data.ids)) : request.response;
    })
    .get("/api/observations/:id", async (c) => {
      const [item] = await itemsOf(memory, c);
      return item === undefined ? unknownItem(c) : c.json(item);
    })
    .post("/api/observations/:id/mark", async (c) => {
      const request = await readBody(c, MarkRequest);
      if (!request.ok) return request.response;
      const id = RowId.safeParse(c.req.param("id"));
      const item = id.success ? await memory.mark(id.data, request.data) : null;
      return item === null ? unknownItem(c) : c.json(item);
    })
    .post("/api/forget", async (c) => {
      const request = await readBody(c, ForgetRequest);
      return request.ok ? c.json(await memory.forget(request.data)) : request.response;
    })
    .get("/api/export", async (c) => {
      const query = readQuery(c, ExportQuery);
      if (!query.ok) return query.response;
      return c.body(await toLineStream(memory.exportLines(query.data)), 200, {
        "Content-Type": "application/x-ndjson; charset=utf-8",
      });
    })
    .post("/api/memory/import", async (c) => c.json(await memory.importLines(bodyLines(c.req.raw.body))))
    .post("/api/import/claude-mem", async (c) => {
      const request = await readBody(c, ClaudeMemRequest);
      return request.ok ? c.json(await memory.importClaudeMem(request.data.path)) : request.response;
    })
    .post("/api/memory/flush", async (c) => {
      await memory.flush();
      return c.json(await memory.status());
    })
    .get("/api/memory", async (c) => c.json(await memory.status()));
}

async function itemsAnswer(memory: MemoryPorts, ids: readonly number[]): Promise<ItemsAnswer> {
  const observations = await memory.items(ids);
  const found = new Set(observations.map(({ id }) => id));
  return { observations, missing: ids.filter((id) => !found.has(id)) };
}

async function itemsOf(memory: MemoryPorts, c: Context): Promise<ItemDetail[]> {
  const id = RowId.safeParse(c.req.param("id"));
  return id.success ? memory.items([id.data]) : [];
}

function unknownItem(c: Context): Response {
  return errorResponse(c, 404, "item_unknown", `item ${c.req.param("id")} not found`);
}
