import { type Context, Hono } from "hono";
import { z } from "zod";
import { errorResponse } from "./authorize.ts";
import { readBody } from "./read-request.ts";
import type { WorkerSessions } from "./worker-sessions.ts";
import type { WorkerLocation } from "./worker-turns.ts";

const Text = z.string().optional().catch(undefined);

/** Loose: clients come in many versions, and unknown fields are ignored. */
const WorkerBody = z
  .looseObject({
    claudeSessionId: Text,
    contentSessionId: Text,
    sessionId: Text,
    session_id: Text,
    project: Text,
    cwd: Text,
    userPrompt: Text,
    prompt: Text,
    promptNumber: z.int().min(1).optional().catch(undefined),
    tool_name: Text,
    tool_use_id: Text,
    tool_input: z.unknown().optional(),
    tool_response: z.unknown().optional(),
    last_user_message: Text,
    last_assistant_message: Text,
    reason: Text,
  })
  .transform((body) => ({
    ...body,
    clientSessionId: body.claudeSessionId || body.contentSessionId || body.sessionId || body.session_id,
  }));
type WorkerBody = z.infer<typeof WorkerBody>;

const SessionBody = WorkerBody.refine(({ clientSessionId: of }) => of !== undefined && of !== "", {
  message: "claudeSessionId is needed",
  path: ["claudeSessionId"],
});
const ToolCallBody = SessionBody.refine(({ tool_name }) => tool_name !== undefined && tool_name !== "", {
  message: "tool_name is needed",
  path: ["tool_name"],
});

const PREFIXES = ["", "/api"] as const;

/** The requests of the worker's clients, under both of its path prefixes. */
export function workerRoutes(sessions: WorkerSessions): Hono {
  const app = new Hono();
  const init = (id: string, body: WorkerBody) =>
    sessions.init(id, {
      prompt: body.userPrompt ?? body.prompt,
      promptNumber: body.promptNumber,
      location: locationOf(body),
    });
  for (const prefix of PREFIXES) {
    app.post(
      `${prefix}/sessions/init`,
      handleBody(SessionBody, (body) => init(body.clientSessionId!, body)),
    );
    app.post(`${prefix}/sessions/:id/init`, async (c) => {
      const id = c.req.param("id");
      const sessionId = /^\d+$/.test(id) ? await sessions.sessionOfRow(Number(id)) : id;
      if (sessionId === undefined) return errorResponse(c, 404, "session_unknown", `session ${id} not found`);
      return handleBody(WorkerBody, (body) => init(sessionId, body))(c);
    });
    app.post(
      `${prefix}/sessions/observations`,
      handleBody(ToolCallBody, (body) =>
        sessions.observe(body.clientSessionId!, {
          toolName: body.tool_name!,
          toolInput: parseInput(body.tool_input),
          toolResponse: body.tool_response,
          toolUseId: body.tool_use_id,
          location: locationOf(body),
        }),
      ),
    );
    app.post(
      `${prefix}/sessions/summarize`,
      handleBody(SessionBody, (body) =>
        sessions.summarize(body.clientSessionId!, {
          user: body.last_user_message,
          assistant: body.last_assistant_message,
        }),
      ),
    );
    app.post(
      `${prefix}/sessions/complete`,
      handleBody(SessionBody, (body) => sessions.complete(body.clientSessionId!, body.reason)),
    );
    // Ignored: we observe activity ourselves.
    app.post(`${prefix}/processing`, async (c) => {
      const body: unknown = await c.req.json().catch(() => null);
      const isProcessing = (body as { isProcessing?: unknown } | null)?.isProcessing === true;
      return c.json({ status: "ok", isProcessing });
    });
  }
  return app;
}

function handleBody(schema: z.ZodType<WorkerBody>, handle: (body: WorkerBody) => Promise<object>) {
  return async (c: Context): Promise<Response> => {
    const body = await readBody(c, schema);
    return body.ok ? c.json(await handle(body.data)) : body.response;
  };
}

function locationOf({ cwd, project }: WorkerBody): WorkerLocation {
  return { cwd, project };
}

/** Some clients send the input as a JSON string. */
function parseInput(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null ? value : { input };
  } catch {
    return { input };
  }
}
