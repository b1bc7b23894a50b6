import { type Context, Hono } from "hono";
import { z } from "zod";
import { errorResponse } from "./authorize.ts";
import type { MemoryPorts } from "./memory-ports.ts";
import {
  ContextSwitch,
  InjectionsQuery,
  InjectQuery,
  PreviewQuery,
  type ProjectAnswer,
} from "./memory-queries.ts";
import { readBody, readQuery } from "./read-request.ts";

const Payload = z.looseObject({});

/** What is injected into sessions: for hooks and other clients, and for the user with the reason. */
export function injectionRoutes(memory: MemoryPorts): Hono {
  const inject = async (c: Context): Promise<Response> => {
    const query = readQuery(c, InjectQuery);
    if (!query.ok) return query.response;
    const { project } = query.data;
    const injection = await memory.inject(project);
    // A client shows whatever it gets, so an unknown project gets nothing.
    if (injection.type !== "text")
      return injection.type === "unknown" ? c.text("") : toProjectError(c, project, injection);
    return c.text(injection.text);
  };
  const answerHook = (answer: (payload: unknown) => Promise<object | null>) => async (c: Context) => {
    const payload = await readBody(c, Payload);
    if (!payload.ok) return payload.response;
    const output = await answer(payload.data);
    return output === null ? c.body(null, 204) : c.json(output);
  };
  return new Hono()
    .get("/api/context/inject", inject)
    .get("/context/inject", inject)
    .get("/api/context", async (c) => {
      const query = readQuery(c, InjectionsQuery);
      return query.ok ? c.json({ injections: await memory.injections(query.data) }) : query.response;
    })
    .get("/api/context/preview", async (c) => {
      const query = readQuery(c, PreviewQuery);
      if (!query.ok) return query.response;
      const { project, kind } = query.data;
      const digest = await memory.digest(project, kind);
      return digest.type === "preview" ? c.json(digest.preview) : toProjectError(c, project, digest);
    })
    .post("/api/context/switch", async (c) => {
      const change = await readBody(c, ContextSwitch);
      return change.ok ? c.json(await memory.switchContext(change.data)) : change.response;
    })
    .post(
      "/api/ask/prompt",
      answerHook((payload) => memory.askPrompt(payload)),
    )
    .post(
      "/api/ask/file",
      answerHook((payload) => memory.askFile(payload)),
    );
}

function toProjectError(c: Context, project: string, answer: ProjectAnswer): Response {
  if (answer.type === "unknown") {
    const suggestion = answer.nearest === null ? "" : `; did you mean ${answer.nearest}?`;
    return errorResponse(c, 404, "project_unknown", `project ${project} not found${suggestion}`);
  }
  const message = `${project} matches ${answer.choices.length} projects`;
  return errorResponse(c, 409, "project_ambiguous", message, [...answer.choices]);
}
