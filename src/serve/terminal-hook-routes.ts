import { type Context, Hono } from "hono";
import { z } from "zod";
import { readBody } from "./read-request.ts";

/** What hooks of terminal sessions wait for; each resolves with what the hook prints, or null. */
export interface TerminalHookPorts {
  /** A PreToolUse payload. `signal` is aborted when the hook disconnects before it was answered. */
  guard(payload: unknown, details: { readonly signal: AbortSignal }): Promise<object | null>;
  /** The answer for a call too large to read: an error would let it through. */
  tooLarge(): object;
  /**
   * A PermissionRequest payload, and the name of the spool file in which the same hook recorded it. `signal` is aborted
   * when the hook disconnects: No, Esc, or the end of its process.
   */
  permission(
    payload: unknown,
    details: {
      readonly spoolName: string | null;
      readonly attended: boolean | null;
      /** How long the hook waits; null when it does not say. */
      readonly waitMs: number | null;
      readonly signal: AbortSignal;
    },
  ): Promise<object | null>;
  /** The payload of an event with reaction rules. `terminal` is what the session's terminal calls itself. */
  react(
    payload: unknown,
    details: {
      readonly envFile: string | null;
      readonly terminal: string | null;
      readonly signal: AbortSignal;
    },
  ): Promise<object | null>;
}

const Payload = z.looseObject({});

export function terminalHookRoutes(ports: TerminalHookPorts): Hono {
  const answerHook =
    (answer: (payload: unknown, c: Context) => Promise<object | null>) => async (c: Context) => {
      const payload = await readBody(c, Payload);
      if (!payload.ok) return payload.response;
      const output = await answer(payload.data, c);
      return output === null ? c.body(null, 204) : c.json(output);
    };
  return new Hono()
    .post(
      "/api/ask/guard",
      answerHook((payload, c) => ports.guard(payload, { signal: c.req.raw.signal })),
    )
    .post(
      "/api/ask/permission",
      answerHook((payload, c) => {
        const spoolName = c.req.header("x-hookline-spool") || null;
        return ports.permission(payload, {
          spoolName,
          attended: attendedOf(c),
          waitMs: waitOf(c),
          signal: c.req.raw.signal,
        });
      }),
    )
    .post(
      "/api/ask/react",
      answerHook((payload, c) =>
        ports.react(payload, {
          envFile: envFileOf(c),
          terminal: c.req.header("x-hookline-terminal") || null,
          signal: c.req.raw.signal,
        }),
      ),
    );
}

function attendedOf(c: Context): boolean | null {
  const value = c.req.header("x-hookline-attended") ?? "";
  return /^\d{1,15}$/.test(value) ? Number(value) !== 0 : null;
}

function waitOf(c: Context): number | null {
  const value = c.req.header("x-hookline-wait") ?? "";
  return /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : null;
}

/** A header holds bytes: a UTF-8 path was decoded as Latin-1. */
function envFileOf(c: Context): string | null {
  const value = c.req.header("x-hookline-env-file");
  return value === undefined || value === "" ? null : Buffer.from(value, "latin1").toString("utf8");
}
