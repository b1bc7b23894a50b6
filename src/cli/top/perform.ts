import { toLent } from "../../control/lent-credentials.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Home } from "../../home.ts";
import { EventsPage, SessionDetail } from "../../serve/contract.ts";
import { oneLine } from "../../shown/plain-text.ts";
import { visibleLine } from "../../shown/visible-text.ts";
import { answerCard, tellSession } from "../ask-control.ts";
import { askOrFail } from "../ask-or-fail.ts";
import { outcomeText } from "../envelope-lines.ts";
import { eventLine } from "../event-line.ts";
import { jump } from "../jump.ts";
import type { Paint } from "../paint.ts";
import { sessionText } from "../session-text.ts";
import type { Act } from "./pressed.ts";
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
        const { id, parts } = act.request;
        const { toolName, settled } = await answerCard(home, id, parts, { ...act.answer, who: WHO });
        const outcome = settled === null ? "answered" : outcomeText(settled.outcome);
        return said(`${visibleLine(toolName)}: ${outcome}.`);
      }
      case "again": {
        const { sessionId, id } = act.request;
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
        const text = sessionText(detail, { ...options, now: Date.now() }, []);
        return { type: "detail", lines: text.split("\n") };
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

function said(note: string): Outcome {
  return { type: "said", note: oneLine(note) };
}
