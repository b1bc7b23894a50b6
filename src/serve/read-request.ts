import type { Context } from "hono";
import type { z } from "zod";
import { fail } from "./guard.ts";

type Read<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly response: Response };

/** The query string, or the answer that says what is wrong with it. */
export function readQuery<T>(c: Context, schema: z.ZodType<T>): Read<T> {
  const read = schema.safeParse(c.req.query());
  if (read.success) return { ok: true, data: read.data };
  return { ok: false, response: fail(c, 400, "query_invalid", "the query is not valid", read.error.issues) };
}

/** The body as JSON, whatever its content type says: other programs send none. */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<Read<T>> {
  const read = schema.safeParse(await c.req.json().catch(() => undefined));
  if (read.success) return { ok: true, data: read.data };
  return { ok: false, response: fail(c, 400, "body_invalid", "the body is not valid", read.error.issues) };
}

/** Where every field may be missing, so may the body. */
export async function readBodyIfAny<T>(c: Context, schema: z.ZodType<T>): Promise<Read<T>> {
  const isEmpty = (await c.req.text().catch(() => "?")).trim() === "";
  if (!isEmpty) return readBody(c, schema);
  return { ok: true, data: schema.parse({}) };
}
