import type { EventStamp, NewEvent } from "../../event/event.ts";
import { factId } from "../../event/ids.ts";
import { type Json, nonEmpty, text } from "../read-json.ts";

/** The names of one session, as its transcript tells them: without a time, and again and again. */
export interface Titles {
  note(line: Json): void;
  /** What changed, at the time of the last line before; while there is none, it waits for one. */
  tell(stamp: EventStamp | undefined): NewEvent[];
}

/** By a person, made up by the agent, and the session's name among other agents. */
type Kind = "custom" | "ai" | "agent";

export function createTitles(): Titles {
  const known = new Map<Kind, { readonly title: string; readonly count: number }>();
  let noted: (readonly [Kind, string])[] = [];
  return {
    note(line) {
      const [kind, field] = FIELDS[text(line, "type") ?? ""] ?? [];
      const title = field === undefined ? undefined : nonEmpty(line, field);
      if (kind !== undefined && title !== undefined) noted.push([kind, title]);
    },
    tell(stamp) {
      if (stamp === undefined || noted.length === 0) return [];
      const fresh = noted;
      noted = [];
      return fresh.flatMap(([kind, title]) => {
        const before = known.get(kind);
        // A person's choice is written as the agent's name too.
        const isKnown = title === before?.title || (kind === "agent" && title === known.get("custom")?.title);
        if (isKnown) return [];
        const count = (before?.count ?? 0) + 1;
        known.set(kind, { title, count });
        // With the count, so that a name taken up again is news.
        const id = factId("title", stamp.sessionId, kind, String(count), title);
        return [{ ...stamp, id, eventType: "agent.event", name: "title", data: { title, kind } }];
      });
    },
  };
}

const FIELDS: Readonly<Record<string, readonly [Kind, string]>> = {
  "custom-title": ["custom", "customTitle"],
  "ai-title": ["ai", "aiTitle"],
  "agent-name": ["agent", "agentName"],
};
