import { z } from "zod";

/** What is remembered, and nothing about how: an item stands for a tool use, a turn, or a prompt. */

const ITEM_KINDS = ["observation", "summary", "prompt"] as const;
export const ItemKind = z.enum(ITEM_KINDS);
export type ItemKind = z.infer<typeof ItemKind>;

/** What an item says happened. The last two are the kinds' own. */
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

/** Weakest first: what a person wrote is never overwritten by a model, nor that by rules. */
const MAKERS = ["rules", "import", "model", "person"] as const;
export const Maker = z.enum(MAKERS);
export type Maker = z.infer<typeof Maker>;

/** The words of an item. Files are absolute paths as the agent named them. */
export const ItemContent = z.object({
  type: ItemType,
  /** One line, at most 120 characters. */
  title: z.string(),
  facts: z.array(z.string()),
  /** The agent's own words around it. */
  narrative: z.string().nullable(),
  filesRead: z.array(z.string()),
  filesModified: z.array(z.string()),
  /** Small letters: what it is about, at most eight. */
  concepts: z.array(z.string()),
});
export type ItemContent = z.infer<typeof ItemContent>;

/** The words of a turn, as `session_summaries` has them. */
export const SummaryContent = z.object({
  request: z.string().nullable(),
  investigated: z.string().nullable(),
  learned: z.string().nullable(),
  completed: z.string().nullable(),
  nextSteps: z.string().nullable(),
});
export type SummaryContent = z.infer<typeof SummaryContent>;

export const MemoryItem = z.object({
  /** Of its row in `observations`, `session_summaries` or `user_prompts`. */
  id: z.number(),
  kind: ItemKind,
  sessionId: z.string(),
  /** The project's folder; null for a session whose folder nobody told. */
  project: z.string().nullable(),
  promptNumber: z.number().nullable(),
  toolName: z.string().nullable(),
  branch: z.string().nullable(),
  /** Null where it is no question of success. */
  success: z.boolean().nullable(),
  createdAtIso: z.string(),
  content: ItemContent,
  /** Of a summary. */
  summary: SummaryContent.nullable(),
  madeBy: Maker,
  pinned: z.boolean(),
});
export type MemoryItem = z.infer<typeof MemoryItem>;
