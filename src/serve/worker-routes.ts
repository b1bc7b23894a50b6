import { type Context, Hono } from "hono";
import { z } from "zod";
import { fail } from "./guard.ts";
import { readBody } from "./read-request.ts";
import type { WorkerSessions } from "./worker-sessions.ts";
import type { PlaceTold } from "./worker-turns.ts";

const Text = z.string().optional().catch(undefined);

/** Loose: clients of many versions; what we do not know is not our business. */
const Told = z
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
  .transform((told) => ({
    ...told,
    of: told.claudeSessionId || told.contentSessionId || told.sessionId || told.session_id,
  }));
type Told = z.infer<typeof Told>;

const Named = Told.refine(({ of }) => of !== undefined && of !== "", {
  message: "claudeSessionId is needed",
  path: ["claudeSessionId"],
});
const Call = Named.refine(({ tool_name }) => tool_name !== undefined && tool_name !== "", {
  message: "tool_name is needed",
  path: ["tool_name"],
});

const PREFIXES = ["", "/api"] as const;

/** What other clients say to their worker, under both of its names. */
export function workerRoutes(sessions: WorkerSessions): Hono {
  const app = new Hono();
  const init = (id: string, told: Told) =>
    sessions.init(id, {
      prompt: told.userPrompt ?? told.prompt,
      promptNumber: told.promptNumber,
      place: placeOf(told),
    });
  for (const prefix of PREFIXES) {
    app.post(
      `${prefix}/sessions/init`,
      told(Named, (body) => init(body.of!, body)),
    );
    app.post(`${prefix}/sessions/:id/init`, async (c) => {
      const id = c.req.param("id");
      const sessionId = /^\d+$/.test(id) ? await sessions.sessionOfRow(Number(id)) : id;
      if (sessionId === undefined) return fail(c, 404, "session_unknown", `there is no session ${id}`);
      return told(Told, (body) => init(sessionId, body))(c);
    });
    app.post(
      `${prefix}/sessions/observations`,
      told(Call, (body) =>
        sessions.observe(body.of!, {
          toolName: body.tool_name!,
          toolInput: unwrapped(body.tool_input),
          toolResponse: body.tool_response,
          toolUseId: body.tool_use_id,
          place: placeOf(body),
        }),
      ),
    );
    app.post(
      `${prefix}/sessions/summarize`,
      told(Named, (body) =>
        sessions.summarize(body.of!, {
          user: body.last_user_message,
          assistant: body.last_assistant_message,
        }),
      ),
    );
    app.post(
      `${prefix}/sessions/complete`,
      told(Named, (body) => sessions.complete(body.of!, body.reason)),
    );
    // Whether it works we see for ourselves.
    app.post(`${prefix}/processing`, async (c) => {
      const body: unknown = await c.req.json().catch(() => null);
      const isProcessing = (body as { isProcessing?: unknown } | null)?.isProcessing === true;
      return c.json({ status: "ok", isProcessing });
    });
  }
  return app;
}

function told(schema: z.ZodType<Told>, tell: (body: Told) => Promise<object>) {
  return async (c: Context): Promise<Response> => {
    const body = await readBody(c, schema);
    return body.ok ? c.json(await tell(body.data)) : body.response;
  };
}

function placeOf({ cwd, project }: Told): PlaceTold {
  return { cwd, project };
}

/** Some send the input as a text of JSON. */
function unwrapped(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null ? value : { input };
  } catch {
    return { input };
  }
}
