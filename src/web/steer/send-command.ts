import { send } from "../api/client.ts";

/** One command to a driven session. Its id makes retries harmless. */
export function sendCommand<T = unknown>(
  sessionId: string,
  command: string,
  body: object = {},
  commandId: string = crypto.randomUUID(),
): Promise<T> {
  const path = `/api/control/sessions/${encodeURIComponent(sessionId)}/${command}`;
  return send<T>("POST", path, { commandId, ...body });
}
