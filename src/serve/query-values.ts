import { z } from "zod";

/** Normalized, so that times compare as strings. */
export const Instant = z.iso.datetime().transform((value) => new Date(value).toISOString());

export const Flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** A row id: 53 bits, exact in JSON. */
export const RowId = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
