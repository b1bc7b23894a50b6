/** The wire format of server-sent events. JSON has no raw line breaks, so it fits on one `data` line. */

const encoder = new TextEncoder();

export function encodeMessage(event: string, data: unknown, id?: string): Uint8Array {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** How soon a client reconnects after its connection broke. */
export const RETRY = encoder.encode("retry: 1000\n\n");

/** The same for browsers, whose scripts do not see comments. */
export const HEARTBEAT_MESSAGE = encodeMessage("beat", {});

/** A comment: keeps proxies from closing an idle connection, and shows clients that the daemon is alive. */
export const HEARTBEAT_COMMENT = encoder.encode(":\n\n");
