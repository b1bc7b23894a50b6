import { pickCredentials } from "../../control/caller-credentials.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Home } from "../../home.ts";
import { EventsPage, SessionDetail } from "../../serve/contract.ts";
import { oneLine } from "../../shown/plain-text.ts";
import { visibleLine } from "../../shown/visible-text.ts";
import { askOrFail } from "../ask-or-fail.ts";
import { answerCard, sendSessionCommand } from "../control-client.ts";
import { outcomeText } from "../envelope-lines.ts";
import { eventLine } from "../event-line.ts";
import { jump } from "../jump.ts";
import type { Paint } from "../paint.ts";
import { sessionText } from "../session-text.ts";
import type { TopAction } from "./key-result.ts";
import type { ActionOutcome } from "./top-view.ts";

const CLIENT_NAME = "hookline top";
/** Enough for a tall terminal, and to scroll back a little. */
const MAX_TAIL_EVENTS = 200;

/** Performs the action of a key and returns its outcome. Refusals are reported, not thrown. */
export async function performAction(
  home: Home,
  action: Exclude<TopAction, { readonly type: "quit" }>,
  options: { readonly width: number; readonly paint: Paint },
): Promise<ActionOutcome> {
  try {
    switch (action.type) {
      case "answer": {
        const { id, parts } = action.request;
        const { toolName, settled } = await answerCard(home, id, parts, {
          ...action.answer,
          who: CLIENT_NAME,
        });
        const outcome = settled === null ? "answered" : outcomeText(settled);
        return toNoteOutcome(`${visibleLine(toolName)}: ${outcome}.`);
      }
      case "again": {
        const { sessionId, id } = action.request;
        const credentials = pickCredentials(process.env);
        await sendSessionCommand(home, sessionId, `again/${encodeURIComponent(id)}`, {
          credentials,
          who: CLIENT_NAME,
        });
        return toNoteOutcome("Asked again.");
      }
      case "jump": {
        const result = await jump(action.session);
        return toNoteOutcome(
          result.type === "failed"
            ? `Cannot jump there: ${result.why}`
            : (result.hint ?? "Switched to its terminal."),
        );
      }
      case "detail": {
        const path = `/api/sessions/${encodeURIComponent(action.session.sessionId)}`;
        const detail = await askOrFail(home, SessionDetail, path);
        const text = sessionText(detail, { ...options, now: Date.now() }, []);
        return { type: "detail", lines: text.split("\n") };
      }
      case "tail": {
        const { sessionId } = action.session;
        const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?before=${Number.MAX_SAFE_INTEGER}&limit=${MAX_TAIL_EVENTS}`;
        const { events } = await askOrFail(home, EventsPage, path);
        // Several reports of one fact are one line.
        const eventsById = new Map(events.toReversed().map((event) => [event.id, event]));
        const lines = [...eventsById.values()].map((event) =>
          // The session is already named above.
          eventLine(event as unknown as HooklineEvent).replace(/^(\S+)\.\d+ \S+ /, "$1 "),
        );
        return { type: "tail", sessionId, lines };
      }
      default:
        return action satisfies never;
    }
  } catch (error) {
    return toNoteOutcome((error as Error).message);
  }
}

function toNoteOutcome(note: string): ActionOutcome {
  return { type: "note", note: oneLine(note) };
}
