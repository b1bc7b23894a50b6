import { z } from "zod";
import { ItemKind, ItemType, MemoryItem } from "./memory-item.ts";

/** What may be asked of memory over HTTP, MCP and the command line, and what comes back. */

export const SearchFilters = z.object({
  /** The project's folder, or the end of it. */
  project: z.string().optional(),
  session: z.string().optional(),
  kind: ItemKind.optional(),
  tool: z.string().optional(),
  type: ItemType.optional(),
  /** A file's path, or the end of it. */
  file: z.string().optional(),
  branch: z.string().optional(),
  sinceIso: z.string().optional(),
  untilIso: z.string().optional(),
  success: z.boolean().optional(),
});
export type SearchFilters = z.infer<typeof SearchFilters>;

export const SearchHit = z.object({
  id: z.number(),
  kind: ItemKind,
  type: ItemType,
  title: z.string(),
  /** A line or two around what was found; `marks` are the found parts in it, from and to (UTF-16). */
  snippet: z.string(),
  marks: z.array(z.tuple([z.number(), z.number()])),
  score: z.number(),
  /** What the score is made of; null where that way did not find it. */
  why: z.object({
    fullText: z.number().nullable(),
    vector: z.number().nullable(),
    recency: z.number(),
    sameFile: z.boolean(),
    pinned: z.boolean(),
  }),
  sessionId: z.string(),
  project: z.string().nullable(),
  promptNumber: z.number().nullable(),
  toolName: z.string().nullable(),
  branch: z.string().nullable(),
  success: z.boolean().nullable(),
  createdAtIso: z.string(),
  files: z.array(z.string()),
  /** What the whole item would cost a model to read. */
  tokens: z.number(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchAnswer = z.object({
  hits: z.array(SearchHit),
  /** `full_text` when no vector took part; `note` says why. */
  mode: z.enum(["fused", "full_text"]),
  note: z.string().nullable(),
  tookMs: z.number(),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;

export const TimelineEntry = z.object({
  id: z.number(),
  kind: ItemKind,
  type: ItemType,
  title: z.string(),
  sessionId: z.string(),
  promptNumber: z.number().nullable(),
  toolName: z.string().nullable(),
  createdAtIso: z.string(),
  /** The first file it is about. */
  file: z.string().nullable(),
  tokens: z.number(),
  isAnchor: z.boolean(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const Timeline = z.object({ anchor: z.number().nullable(), entries: z.array(TimelineEntry) });
export type Timeline = z.infer<typeof Timeline>;

/** One item whole: with what the tool was given and gave back. */
export const ItemDetail = MemoryItem.extend({
  tokens: z.number(),
  text: z.string(),
  tool: z.object({ input: z.unknown(), output: z.string().nullable() }).nullable(),
});
export type ItemDetail = z.infer<typeof ItemDetail>;

/** Why an item was given to a session. */
export const GivenItem = z.object({
  id: z.number(),
  title: z.string(),
  why: z.string(),
  tokens: z.number(),
});
export type GivenItem = z.infer<typeof GivenItem>;

export const INJECTION_KINDS = ["startup", "resume", "compact", "prompt", "file"] as const;
export const InjectionKind = z.enum(INJECTION_KINDS);
export type InjectionKind = z.infer<typeof InjectionKind>;

/** What a session was given, when, and why. */
export const Injection = z.object({
  sessionId: z.string(),
  project: z.string().nullable(),
  kind: InjectionKind,
  atIso: z.string(),
  tokens: z.number(),
  items: z.array(GivenItem),
});
export type Injection = z.infer<typeof Injection>;

export const IndexStatus = z.object({
  items: z.number(),
  /** Changes that are not in the index yet. */
  waiting: z.number(),
  embedded: z.number(),
  unembedded: z.number(),
  /** What makes the vectors; null: full text only. */
  embedder: z.string().nullable(),
  /** Why there are no vectors, or fewer than there should be. */
  note: z.string().nullable(),
  bytes: z.number(),
});
export type IndexStatus = z.infer<typeof IndexStatus>;
