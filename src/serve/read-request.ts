import type { Context } from "hono";
import type { z } from "zod";
import { errorResponse } from "./authorize.ts";

type Read<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly response: Response };

/** The parsed query string, or an error response that says what is wrong with it. */
export function readQuery<T>(c: Context, schema: z.ZodType<T>): Read<T> {
  const read = schema.safeParse(c.req.query());
  if (read.success) return { ok: true, data: read.data };
  return {
    ok: false,
    response: errorResponse(c, 400, "query_invalid", "invalid query", read.error.issues),
  };
}

/** The body as JSON, whatever its content type: some clients send none. */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<Read<T>> {
  const read = schema.safeParse(await c.req.json().catch(() => undefined));
  if (read.success) return { ok: true, data: read.data };
  return {
    ok: false,
    response: errorResponse(c, 400, "body_invalid", "invalid body", read.error.issues),
  };
}

/** When every field is optional, so is the body. */
export async function readBodyIfAny<T>(c: Context, schema: z.ZodType<T>): Promise<Read<T>> {
  const isEmpty = (await c.req.text().catch(() => "?")).trim() === "";
  if (!isEmpty) return readBody(c, schema);
  return { ok: true, data: schema.parse({}) };
}
