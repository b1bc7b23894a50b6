import { z } from "zod";
import { EVENT_VERSION, type NewEvent } from "../event/event.ts";
import { factId } from "../event/ids.ts";

/** A shell template writes the word "null" for an unset variable. */
const Folder = z
  .string()
  .nullable()
  .default(null)
  .transform((path) => (path === "null" || path === "" ? null : path));

/** A line of another program's contract stream, with its required and optional fields. */
const ForeignEvent = z.looseObject({
  id: z.string().min(1).optional(),
  eventType: z.string().min(1),
  occurredAtIso: z.iso.datetime({ offset: true }),
  sessionId: z.string().min(1),
  provider: z.string().min(1).default("unknown"),
  projectPath: Folder,
  cwd: Folder,
});

/** Null if the line is not an event. Its own id is retained: the same line read twice is one event. */
export function fromForeignLine(line: string): NewEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = ForeignEvent.safeParse(value);
  if (!parsed.success) return null;
  const { mergedFrom: _mergedFrom, ...event } = parsed.data;
  return {
    ...event,
    v: EVENT_VERSION,
    id: event.id ?? factId("stream", line),
    occurredAtIso: new Date(event.occurredAtIso).toISOString(),
    origin: "stream",
  } as NewEvent;
}
