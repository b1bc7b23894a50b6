import { send } from "../api/client.ts";

/** One command to a driven session. Its id makes it happen once, however often it is sent. */
export function commandTo<T = unknown>(
  sessionId: string,
  what: string,
  body: object = {},
  commandId: string = crypto.randomUUID(),
): Promise<T> {
  const path = `/api/control/sessions/${encodeURIComponent(sessionId)}/${what}`;
  return send<T>("POST", path, { commandId, ...body });
}
