import { z } from "zod";
import {
  IndexStatus,
  InjectedItem,
  Injection,
  InjectionKind,
  ItemDetail,
  type SearchFilters,
} from "../memory/memory-contract.ts";
import { ItemContent, ItemKind, ItemType } from "../memory/memory-item.ts";
import { Flag, Instant, RowId } from "./query-values.ts";

/** Requests of the memory routes, and answers that memory's own contract does not have. */

const MAX_ITEMS = 100;
const DEFAULT_SEARCH_LIMIT = 40;
const SearchText = z.string().max(4_000);
const Path = z.string().min(1).max(4_096);

/** The query of `/api/search`; its output is memory's query. Without search text only the filters apply. */
export const SearchQuery = z
  .object({
    q: SearchText.default(""),
    project: Path.optional(),
    session: z.string().optional(),
    kind: ItemKind.optional(),
    tool: z.string().optional(),
    type: ItemType.optional(),
    file: Path.optional(),
    branch: z.string().optional(),
    since: Instant.optional(),
    until: Instant.optional(),
    success: Flag.optional(),
    limit: z.coerce.number().int().min(1).max(MAX_ITEMS).default(DEFAULT_SEARCH_LIMIT),
  })
  .refine(
    ({ limit: _limit, ...criteria }) =>
      Object.values(criteria).some((value) => value !== undefined && value !== ""),
    {
      message: "q or a filter is needed",
      path: ["q"],
    },
  )
  .transform(({ q, limit, since, until, ...others }) => ({
    query: q,
    limit,
    filters: { ...others, sinceIso: since, untilIso: until } satisfies SearchFilters as SearchFilters,
  }));
export type SearchQuery = z.infer<typeof SearchQuery>;

/** Around an id, or around the best hit of a search. */
export const TimelineQuery = z
  .object({
    anchor: RowId.optional(),
    query: SearchText.min(1).optional(),
    project: Path.optional(),
    depth_before: z.coerce.number().int().min(0).max(MAX_ITEMS).default(10),
    depth_after: z.coerce.number().int().min(0).max(MAX_ITEMS).default(10),
    within: z.enum(["session", "project"]).default("session"),
    type: ItemType.optional(),
  })
  .refine(({ anchor, query }) => (anchor === undefined) !== (query === undefined), {
    message: "either anchor or query is needed",
    path: ["anchor"],
  })
  .transform(({ depth_before: before, depth_after: after, ...rest }) => ({ ...rest, before, after }));
export type TimelineQuery = z.infer<typeof TimelineQuery>;

export const ItemsRequest = z.object({ ids: z.array(RowId).min(1).max(MAX_ITEMS) });

/** `missing` are ids that are unknown or no longer stored. */
export const ItemsAnswer = z.object({ observations: z.array(ItemDetail), missing: z.array(z.number()) });
export type ItemsAnswer = z.infer<typeof ItemsAnswer>;

/** `null` reverts an edit. */
const ItemEdit = ItemContent.pick({
  type: true,
  title: true,
  facts: true,
  narrative: true,
  concepts: true,
})
  .extend({ title: z.string().trim().min(1).max(120) })
  .partial()
  .strict();

export const MarkRequest = z
  .strictObject({ pinned: z.boolean().optional(), edit: ItemEdit.nullable().optional() })
  .refine(({ pinned, edit }) => pinned !== undefined || edit !== undefined, "pinned or edit is needed");
export type MarkRequest = z.infer<typeof MarkRequest>;

/** Several criteria are combined with AND. */
export const ForgetRequest = z
  .strictObject({
    ids: z.array(RowId).min(1).optional(),
    session: z.string().min(1).optional(),
    project: Path.optional(),
    file: Path.optional(),
    beforeIso: Instant.optional(),
    afterIso: Instant.optional(),
    /** A text anywhere in an item, ignoring case. */
    match: z.string().min(1).max(1_000).optional(),
    dryRun: z.boolean().optional(),
  })
  .refine(
    ({ dryRun: _dryRun, ...criteria }) => Object.values(criteria).some((value) => value !== undefined),
    {
      message: "at least one criterion is needed",
    },
  );
export type ForgetRequest = z.infer<typeof ForgetRequest>;

export const ForgetResult = z.object({
  facts: z.number(),
  sessions: z.number(),
  items: z.number(),
  dryRun: z.boolean(),
});
export type ForgetResult = z.infer<typeof ForgetResult>;

export const InjectQuery = z.object({ project: Path });

export const InjectionsQuery = z.object({
  session: z.string().optional(),
  project: Path.optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ITEMS).default(20),
});
export type InjectionsQuery = z.infer<typeof InjectionsQuery>;

export const InjectionsAnswer = z.object({ injections: z.array(Injection) });

export const PreviewQuery = z.object({ project: Path, kind: InjectionKind.default("startup") });

/** What a session of that project would get injected now. */
export const DigestPreview = z.object({
  project: z.string(),
  kind: InjectionKind,
  text: z.string(),
  tokens: z.number(),
  items: z.array(InjectedItem),
  /** Why nothing is injected; null when injection is on, even if there is nothing to inject. */
  off: z.string().nullable(),
});
export type DigestPreview = z.infer<typeof DigestPreview>;

const on = z.boolean();

/** One target at a time: a kind, a project (by its full path), or a session. */
export const ContextSwitch = z.union([
  z.strictObject({ on, kind: InjectionKind }),
  z.strictObject({ on, project: Path.startsWith("/") }),
  z.strictObject({ on, session: z.string().min(1) }),
]);
export type ContextSwitch = z.infer<typeof ContextSwitch>;

export const MemoryImportResult = z.object({
  items: z.number(),
  /** Already known, excluded, or forgotten here. */
  skipped: z.number(),
  badLines: z.number(),
  /** The first bad lines, with the reason. */
  bad: z.array(z.object({ line: z.number(), reason: z.string() })),
});
export type MemoryImportResult = z.infer<typeof MemoryImportResult>;

export const ClaudeMemRequest = z.strictObject({ path: Path });

export const ClaudeMemResult = z.object({
  sessions: z.number(),
  prompts: z.number(),
  observations: z.number(),
  summaries: z.number(),
  skipped: z.number(),
});
export type ClaudeMemResult = z.infer<typeof ClaudeMemResult>;

export const ExportQuery = z.object({ project: Path.optional() });

export const MemoryStatus = z.object({
  index: IndexStatus,
  /** Work that is still queued. */
  outbox: z.number(),
  /** Null when no model is used. */
  model: z
    .object({
      name: z.string(),
      waiting: z.number(),
      tokensToday: z.number(),
      dailyTokens: z.number(),
      /** Why it is not used at the moment. */
      note: z.string().nullable(),
    })
    .nullable(),
});
export type MemoryStatus = z.infer<typeof MemoryStatus>;

/** A folder that memory knows, found by its path or its last parts. */
export type ProjectAnswer =
  | { readonly type: "unknown"; readonly nearest: string | null }
  | { readonly type: "ambiguous"; readonly choices: readonly string[] };
