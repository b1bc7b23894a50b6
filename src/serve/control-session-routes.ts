import { type Context, Hono } from "hono";
import { AppError } from "../app-error.ts";
import {
  CardAnswer,
  type DrivenSession,
  ModelRequest,
  ModeRequest,
  RewindRequest,
  SendRequest,
  StartRequest,
} from "../control/control-contract.ts";
import { whyNotPending } from "../control/terminal/card-events.ts";
import { checkRendered, toClientCard } from "./check-rendered.ts";
import { toErrorResponse, withCredentials } from "./control-errors.ts";
import type { ControlPorts } from "./control-ports.ts";
import { AskAgainRequest, CommandRequest, MessageRequest, ResumeRequest } from "./control-queries.ts";
import { readBody, readBodyIfAny } from "./read-request.ts";
import { findSettledRequest, resolveRequestId } from "./resolve-ids.ts";

const SESSION = "/api/control/sessions/:id";

/** Starts, messages, controls and ends driven sessions. */
export function controlSessionRoutes(ports: ControlPorts): Hono {
  const start = (request: StartRequest): Promise<DrivenSession> =>
    withCredentials(request.credentials, () => ports.driven.start(request));

  const resume = async (c: Context, fork: boolean): Promise<Response> => {
    const read = await readBodyIfAny(c, ResumeRequest);
    if (!read.ok) return read.response;
    const id = idOf(c);
    const drivenSession = await ports.driven.get(id);
    const cwd = read.data.cwd ?? drivenSession?.cwd;
    if (cwd === undefined) throw new AppError("cwd_missing", `the folder of ${id} is unknown: set \`cwd\``);
    const request = {
      ...read.data,
      cwd,
      resume: drivenSession?.claudeSessionId ?? drivenSession?.sessionId ?? id,
      fork,
    };
    return c.json(await start(request), 201);
  };

  return (
    new Hono()
      .onError(toErrorResponse)
      .get("/api/control/sessions", (c) => c.json({ sessions: ports.driven.list() }))
      .post("/api/control/sessions", async (c) => {
        const read = await readBody(c, StartRequest);
        return read.ok ? c.json(await start(read.data), 201) : read.response;
      })
      .get(SESSION, async (c) => {
        const found = await ports.driven.get(idOf(c));
        if (found === undefined) throw new AppError("session_unknown", `${idOf(c)} was not started here`);
        return c.json(found);
      })
      .post(`${SESSION}/send`, async (c) => {
        const read = await readBody(c, SendRequest);
        return read.ok ? c.json(await ports.driven.send(idOf(c), read.data)) : read.response;
      })
      .post(`${SESSION}/stop`, async (c) => {
        const read = await readBodyIfAny(c, CommandRequest);
        return read.ok ? c.json(await ports.driven.stop(idOf(c), read.data.commandId)) : read.response;
      })
      .post(`${SESSION}/close`, async (c) => {
        const read = await readBodyIfAny(c, CommandRequest);
        return read.ok ? c.json(await ports.driven.close(idOf(c), read.data.commandId)) : read.response;
      })
      .post(`${SESSION}/mode`, async (c) => {
        const read = await readBody(c, ModeRequest);
        if (!read.ok) return read.response;
        const { mode, who = "api", commandId } = read.data;
        return c.json(await ports.driven.setMode(idOf(c), mode, who, commandId));
      })
      .post(`${SESSION}/model`, async (c) => {
        const read = await readBody(c, ModelRequest);
        if (!read.ok) return read.response;
        return c.json(await ports.driven.setModel(idOf(c), read.data.model, read.data.commandId));
      })
      .post(`${SESSION}/rewind`, async (c) => {
        const read = await readBody(c, RewindRequest);
        return read.ok ? c.json(await ports.driven.rewind(idOf(c), read.data)) : read.response;
      })
      .post(`${SESSION}/resume`, (c) => resume(c, false))
      .post(`${SESSION}/fork`, (c) => resume(c, true))
      .post(`${SESSION}/answer/:requestId`, async (c) => {
        const read = await readBody(c, CardAnswer);
        if (!read.ok) return read.response;
        const requestId = await resolveRequestId(ports, idOf(c), c.req.param("requestId"));
        const card = await ports.driven.card(requestId, idOf(c));
        const settledCard =
          card === undefined ? await findSettledRequest(ports, requestId, idOf(c)) : undefined;
        if (settledCard !== undefined) throw new AppError("not_pending", whyNotPending(settledCard));
        if (card !== undefined) await checkRendered(toClientCard(card), read.data);
        return c.json(await ports.driven.answer(idOf(c), requestId, read.data));
      })
      .post(`${SESSION}/again/:requestId`, async (c) => {
        const read = await readBodyIfAny(c, AskAgainRequest);
        if (!read.ok) return read.response;
        const askAgain = async (): Promise<DrivenSession> =>
          ports.driven.askAgain(
            idOf(c),
            await resolveRequestId(ports, idOf(c), c.req.param("requestId")),
            read.data as Partial<StartRequest>,
          );
        return c.json(await withCredentials(read.data.credentials, askAgain), 201);
      })
      // To a session that is not driven: one in a terminal.
      .post(`${SESSION}/message`, async (c) => {
        const read = await readBody(c, MessageRequest);
        if (!read.ok) return read.response;
        return c.json(await ports.sendToTerminal({ sessionId: idOf(c), ...read.data }));
      })
  );
}

function idOf(c: Context): string {
  return c.req.param("id")!;
}
