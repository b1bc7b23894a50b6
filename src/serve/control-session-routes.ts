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
import { whySettled } from "../control/terminal/card-told.ts";
import { checkShown, toShownCard } from "./check-shown.ts";
import type { ControlPorts } from "./control-ports.ts";
import { AgainRequest, Command, MessageRequest, ResumeRequest } from "./control-queries.ts";
import { refuse, withCredentials } from "./control-refusal.ts";
import { readBody, readBodyIfAny } from "./read-request.ts";
import { settledRequest, wholeRequestId } from "./whole-ids.ts";

const SESSION = "/api/control/sessions/:id";

/** Sessions that are driven from here: started, spoken to, steered, ended. */
export function controlSessionRoutes(ports: ControlPorts): Hono {
  const start = (request: StartRequest): Promise<DrivenSession> =>
    withCredentials(request.credentials, () => ports.driven.start(request));

  const resume = async (c: Context, fork: boolean): Promise<Response> => {
    const read = await readBodyIfAny(c, ResumeRequest);
    if (!read.ok) return read.response;
    const id = idOf(c);
    const known = await ports.driven.get(id);
    const cwd = read.data.cwd ?? known?.cwd;
    if (cwd === undefined)
      throw new AppError("cwd_missing", `in which folder ${id} ran is not known here: tell \`cwd\``);
    const request = { ...read.data, cwd, resume: known?.claudeSessionId ?? known?.sessionId ?? id, fork };
    return c.json(await start(request), 201);
  };

  return (
    new Hono()
      .onError(refuse)
      .get("/api/control/sessions", (c) => c.json({ sessions: ports.driven.list() }))
      .post("/api/control/sessions", async (c) => {
        const read = await readBody(c, StartRequest);
        return read.ok ? c.json(await start(read.data), 201) : read.response;
      })
      .get(SESSION, async (c) => {
        const found = await ports.driven.get(idOf(c));
        if (found === undefined) throw new AppError("session_unknown", `${idOf(c)} is not driven from here`);
        return c.json(found);
      })
      .post(`${SESSION}/send`, async (c) => {
        const read = await readBody(c, SendRequest);
        return read.ok ? c.json(await ports.driven.send(idOf(c), read.data)) : read.response;
      })
      .post(`${SESSION}/stop`, async (c) => {
        const read = await readBodyIfAny(c, Command);
        return read.ok ? c.json(await ports.driven.stop(idOf(c), read.data.commandId)) : read.response;
      })
      .post(`${SESSION}/close`, async (c) => {
        const read = await readBodyIfAny(c, Command);
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
        const requestId = await wholeRequestId(ports, idOf(c), c.req.param("requestId"));
        const card = await ports.driven.card(requestId, idOf(c));
        const over = card === undefined ? await settledRequest(ports, requestId, idOf(c)) : undefined;
        if (over !== undefined) throw new AppError("not_pending", whySettled(over));
        if (card !== undefined) await checkShown(toShownCard(card), read.data);
        return c.json(await ports.driven.answer(idOf(c), requestId, read.data));
      })
      .post(`${SESSION}/again/:requestId`, async (c) => {
        const read = await readBodyIfAny(c, AgainRequest);
        if (!read.ok) return read.response;
        const again = async (): Promise<DrivenSession> =>
          ports.driven.askAgain(
            idOf(c),
            await wholeRequestId(ports, idOf(c), c.req.param("requestId")),
            read.data as Partial<StartRequest>,
          );
        return c.json(await withCredentials(read.data.credentials, again), 201);
      })
      // Into a session that nobody drives: one in somebody's terminal.
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
