import { Hono } from "hono";
import { AppError } from "../app-error.ts";
import { type Card, CardAnswer, ViewerRequest } from "../control/control-contract.ts";
import { whySettled } from "../control/terminal/card-told.ts";
import { checkShown, toShownCard } from "./check-shown.ts";
import type { ControlPorts } from "./control-ports.ts";
import { CardsQuery } from "./control-queries.ts";
import { refuse } from "./control-refusal.ts";
import { readBody, readQuery } from "./read-request.ts";
import { settledRequest, wholeCardId, wholeSessionOf } from "./whole-ids.ts";

/** What waits for a person, wherever it was asked. */
export function cardRoutes(ports: ControlPorts): Hono {
  const find = async (id: string): Promise<Card & { readonly isPast: boolean }> => {
    const exact = ports.terminal.get(id) ?? (await ports.driven.card(id));
    const whole = exact === undefined ? wholeCardId(ports, id) : id;
    const found = exact ?? ports.terminal.get(whole) ?? (await ports.driven.card(whole));
    const known = found ?? (await settledRequest(ports, id));
    if (known === undefined) throw new AppError("card_unknown", `there is no request ${id}`);
    return { ...toShownCard(known), isPast: found === undefined };
  };
  return new Hono()
    .onError(refuse)
    .get("/api/control/cards", (c) => {
      const query = readQuery(c, CardsQuery);
      if (!query.ok) return query.response;
      const { session } = query.data;
      const all = [...ports.driven.cards(), ...ports.terminal.cards()];
      const meant = session === undefined ? null : wholeSessionOf(all, session);
      const cards = all
        .filter(({ sessionId }) => meant === null || sessionId === meant)
        .map(toShownCard)
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
      ports.terminal.viewed(read.data);
      return c.body(null, 204);
    })
    .post("/api/control/cards/:id/answer", async (c) => {
      const read = await readBody(c, CardAnswer);
      if (!read.ok) return read.response;
      const { isPast, ...card } = await find(c.req.param("id"));
      if (isPast) throw new AppError("not_pending", whySettled(card));
      await checkShown(card, read.data);
      const { id, source, sessionId } = card;
      return c.json(
        source === "terminal"
          ? ports.terminal.answer(id, read.data)
          : await ports.driven.answer(sessionId, id, read.data),
      );
    });
}
