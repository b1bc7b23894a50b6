/** The wire form of server-sent events. A JSON text has no line break of its own, so one `data` line holds it. */

const encoder = new TextEncoder();

export function encodeMessage(event: string, data: unknown, id?: string): Uint8Array {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** How soon a client comes back after its connection broke. */
export const RETRY = encoder.encode("retry: 1000\n\n");

/** The same for a browser, whose script is not told of comments. */
export const BEAT = encodeMessage("beat", {});

/** A comment: it keeps proxies from closing a quiet connection, and tells a client that the daemon lives. */
export const HEARTBEAT = encoder.encode(":\n\n");
