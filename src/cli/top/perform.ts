import { randomUUID } from "node:crypto";
import { Card } from "../../control/control-contract.ts";
import { toLent } from "../../control/lent-credentials.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Home } from "../../home.ts";
import { EventsPage, SessionDetail } from "../../serve/contract.ts";
import { askControl, tellSession } from "../ask-control.ts";
import { askOrFail } from "../ask-or-fail.ts";
import { askedLines } from "../asked.ts";
import { wrapTo } from "../display-width.ts";
import { eventLine } from "../event-line.ts";
import { jump } from "../jump.ts";
import { noPaint, type Paint } from "../paint.ts";
import { oneLine } from "../plain-text.ts";
import { sessionText } from "../session-text.ts";
import type { Act } from "./press-key.ts";
import type { Outcome } from "./top-view.ts";

const WHO = "hookline top";
/** Enough for a tall terminal, and to look back a little. */
const TAILED = 200;

/** Does what a key asked for, and tells how it went. What is refused is told, not thrown. */
export async function perform(
  home: Home,
  act: Exclude<Act, { readonly type: "quit" }>,
  options: { readonly width: number; readonly paint: Paint },
): Promise<Outcome> {
  try {
    switch (act.type) {
      case "answer": {
        const path = `/cards/${encodeURIComponent(act.card.id)}/answer`;
        const body = { ...act.answer, who: WHO, commandId: randomUUID() };
        const { toolName, settled } = await askControl(home, Card, path, body);
        return said(`${toolName}: ${settled?.outcome ?? "answered"}.`);
      }
      case "again": {
        const { sessionId, id } = act.card;
        const credentials = toLent(process.env);
        await tellSession(home, sessionId, `again/${encodeURIComponent(id)}`, { credentials, who: WHO });
        return said("It is asked again.");
      }
      case "jump": {
        const jumped = await jump(act.session);
        return said(jumped.type === "failed" ? `Cannot go there: ${jumped.why}` : (jumped.hint ?? "There."));
      }
      case "detail": {
        const path = `/api/sessions/${encodeURIComponent(act.session.sessionId)}`;
        const detail = await askOrFail(home, SessionDetail, path);
        const text = sessionText(detail, { ...options, now: Date.now() });
        const asked = act.card === undefined ? [] : wholeCard(act.card, options);
        return { type: "detail", lines: [...asked, ...text.split("\n")] };
      }
      case "tail": {
        const { sessionId } = act.session;
        const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?before=${Number.MAX_SAFE_INTEGER}&limit=${TAILED}`;
        const { events } = await askOrFail(home, EventsPage, path);
        // Several tellings of one fact are one line.
        const told = new Map(events.toReversed().map((event) => [event.id, event]));
        const lines = [...told.values()].map((event) =>
          // Which session it is stands above.
          eventLine(event as unknown as HooklineEvent).replace(/^(\S+)\.\d+ \S+ /, "$1 "),
        );
        return { type: "tail", sessionId, lines };
      }
      default:
        return act satisfies never;
    }
  } catch (error) {
    return said((error as Error).message);
  }
}

function wholeCard(
  card: Card,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const lines = askedLines(card, noPaint, Number.POSITIVE_INFINITY);
  return [...lines.flatMap((line) => wrapTo(line, width - 1)).map((line) => paint("bold", line)), ""];
}

function said(note: string): Outcome {
  return { type: "said", note: oneLine(note) };
}
