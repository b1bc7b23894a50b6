import { z } from "zod";

/** What is remembered, independent of how: an item stands for a call, a turn, or a prompt. */

const ITEM_KINDS = ["observation", "summary", "prompt"] as const;
export const ItemKind = z.enum(ITEM_KINDS);
export type ItemKind = z.infer<typeof ItemKind>;

/** What an item reports. The last two are specific to their kinds. */
export const ITEM_TYPES = [
  "discovery",
  "change",
  "fix",
  "decision",
  "failure",
  "command",
  "test",
  "research",
  "delegation",
  "summary",
  "prompt",
] as const;
export const ItemType = z.enum(ITEM_TYPES);
export type ItemType = z.infer<typeof ItemType>;

/** Weakest first: a model never overwrites a person's text, nor rules a model's. */
const ITEM_AUTHORS = ["rules", "import", "model", "person"] as const;
export const ItemAuthor = z.enum(ITEM_AUTHORS);
export type ItemAuthor = z.infer<typeof ItemAuthor>;

/** The content of an item. Files are absolute paths as the agent named them. */
export const ItemContent = z.object({
  type: ItemType,
  /** One line, at most 120 characters. */
  title: z.string(),
  facts: z.array(z.string()),
  /** The agent's own text around it. */
  narrative: z.string().nullable(),
  filesRead: z.array(z.string()),
  filesModified: z.array(z.string()),
  /** Topics in lower case, at most eight. */
  concepts: z.array(z.string()),
});
export type ItemContent = z.infer<typeof ItemContent>;

/** The summary of a turn, as stored in `session_summaries`. */
export const SummaryContent = z.object({
  request: z.string().nullable(),
  investigated: z.string().nullable(),
  learned: z.string().nullable(),
  completed: z.string().nullable(),
  nextSteps: z.string().nullable(),
});
export type SummaryContent = z.infer<typeof SummaryContent>;

export const MemoryItem = z.object({
  /** Id of its row in `observations`, `session_summaries` or `user_prompts`. */
  id: z.number(),
  kind: ItemKind,
  sessionId: z.string(),
  /** The project's folder; null for a session whose folder is unknown. */
  project: z.string().nullable(),
  promptNumber: z.number().nullable(),
  toolName: z.string().nullable(),
  branch: z.string().nullable(),
  /** Null where success does not apply. */
  success: z.boolean().nullable(),
  createdAtIso: z.string(),
  content: ItemContent,
  /** Set for summaries only. */
  summary: SummaryContent.nullable(),
  madeBy: ItemAuthor,
  pinned: z.boolean(),
});
export type MemoryItem = z.infer<typeof MemoryItem>;
