import { z } from "zod";
import { ItemKind, ItemType, MemoryItem } from "./memory-item.ts";

/** Requests to memory over HTTP, MCP and the command line, and their responses. */

export const SearchFilters = z.object({
  /** The project's folder, or a suffix of it. */
  project: z.string().optional(),
  session: z.string().optional(),
  kind: ItemKind.optional(),
  tool: z.string().optional(),
  type: ItemType.optional(),
  /** A file's path, or a suffix of it. */
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
  /** A line or two around the match; `marks` are the matched ranges in it, from and to (UTF-16). */
  snippet: z.string(),
  marks: z.array(z.tuple([z.number(), z.number()])),
  score: z.number(),
  /** The parts of the score; null for a method that did not find it. */
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
  /** How it ended without success: `denied` did not run, and the effect of `interrupted` is unknown. */
  outcome: z.enum(["failed", "denied", "interrupted"]).nullable(),
  createdAtIso: z.string(),
  files: z.array(z.string()),
  /** Tokens the whole item would cost a model. */
  tokens: z.number(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchAnswer = z.object({
  hits: z.array(SearchHit),
  /** `full_text` when no vectors were used; `note` says why. */
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

/** One full item, with the tool's input and output. */
export const ItemDetail = MemoryItem.extend({
  tokens: z.number(),
  text: z.string(),
  tool: z.object({ input: z.unknown(), output: z.string().nullable() }).nullable(),
});
export type ItemDetail = z.infer<typeof ItemDetail>;

/** Why an item was injected into a session. */
export const InjectedItem = z.object({
  id: z.number(),
  title: z.string(),
  why: z.string(),
  tokens: z.number(),
});
export type InjectedItem = z.infer<typeof InjectedItem>;

export const INJECTION_KINDS = ["startup", "resume", "compact", "prompt", "file"] as const;
export const InjectionKind = z.enum(INJECTION_KINDS);
export type InjectionKind = z.infer<typeof InjectionKind>;

/** What was injected into a session, when, and why. */
export const Injection = z.object({
  sessionId: z.string(),
  project: z.string().nullable(),
  kind: InjectionKind,
  atIso: z.string(),
  tokens: z.number(),
  items: z.array(InjectedItem),
});
export type Injection = z.infer<typeof Injection>;

export const IndexStatus = z.object({
  items: z.number(),
  /** Changes not indexed yet. */
  waiting: z.number(),
  embedded: z.number(),
  unembedded: z.number(),
  /** The embedder's name; null: full text only. */
  embedder: z.string().nullable(),
  /** Why vectors are missing or incomplete. */
  note: z.string().nullable(),
  bytes: z.number(),
});
export type IndexStatus = z.infer<typeof IndexStatus>;
