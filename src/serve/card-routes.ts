import { Hono } from "hono";
import { AppError } from "../app-error.ts";
import { type Card, CardAnswer, ViewerRequest } from "../control/control-contract.ts";
import { whyNotPending } from "../control/terminal/card-events.ts";
import { checkRendered, toClientCard } from "./check-rendered.ts";
import { toErrorResponse } from "./control-errors.ts";
import type { ControlPorts } from "./control-ports.ts";
import { CardsQuery } from "./control-queries.ts";
import { readBody, readQuery } from "./read-request.ts";
import { findSettledRequest, resolveCardId, resolveCardSession } from "./resolve-ids.ts";

/** Requests that wait for a person, from any session. */
export function cardRoutes(ports: ControlPorts): Hono {
  const find = async (id: string): Promise<Card & { readonly isPast: boolean }> => {
    const exact = ports.terminal.get(id) ?? (await ports.driven.card(id));
    const resolvedId = exact === undefined ? resolveCardId(ports, id) : id;
    const found = exact ?? ports.terminal.get(resolvedId) ?? (await ports.driven.card(resolvedId));
    const card = found ?? (await findSettledRequest(ports, id));
    if (card === undefined) throw new AppError("card_unknown", `request ${id} not found`);
    return { ...toClientCard(card), isPast: found === undefined };
  };
  return new Hono()
    .onError(toErrorResponse)
    .get("/api/control/cards", (c) => {
      const query = readQuery(c, CardsQuery);
      if (!query.ok) return query.response;
      const { session } = query.data;
      const all = [...ports.driven.cards(), ...ports.terminal.cards()];
      const requestedSession = session === undefined ? null : resolveCardSession(all, session);
      const cards = all
        .filter(({ sessionId }) => requestedSession === null || sessionId === requestedSession)
        .map(toClientCard)
        .sort((a, b) => (a.sinceIso < b.sinceIso ? -1 : a.sinceIso > b.sinceIso ? 1 : 0));
      return c.json({ cards });
    })
    .get("/api/control/cards/:id", async (c) => {
      const { isPast: _isPast, ...card } = await find(c.req.param("id"));
      return c.json(card);
    })
    .post("/api/control/viewer", async (c) => {
      const read = await readBody(c, ViewerRequest);
      if (!read.ok) return read.response;
      ports.terminal.reportViewer(read.data);
      return c.body(null, 204);
    })
    .post("/api/control/cards/:id/answer", async (c) => {
      const read = await readBody(c, CardAnswer);
      if (!read.ok) return read.response;
      const { isPast, ...card } = await find(c.req.param("id"));
      if (isPast) throw new AppError("not_pending", whyNotPending(card));
      await checkRendered(card, read.data);
      const { id, source, sessionId } = card;
      return c.json(
        source === "terminal"
          ? ports.terminal.answer(id, read.data)
          : await ports.driven.answer(sessionId, id, read.data),
      );
    });
}
