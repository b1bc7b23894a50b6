import { z } from "zod";

/** In the one form of times that the rest knows, so that texts compare as times do. */
export const Instant = z.iso.datetime().transform((value) => new Date(value).toISOString());

export const Flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** Of a row: 53 bits, exact in JSON. */
export const RowId = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
