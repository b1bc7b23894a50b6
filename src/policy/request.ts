import type { ToolForm } from "../agents/tool-table.ts";

/** What is judged, and the verdict. Pure data, shared by driven sessions, the terminal guard and the CLI. */

export const PERMISSION_MODES = [
  "default",
  "acceptEdits",
  "plan",
  "auto",
  "dontAsk",
  "bypassPermissions",
] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export interface PolicyRequest {
  readonly toolName: string;
  /** The kind of tool, from the table of the requesting agent; a tool of Claude Code where it is missing. */
  readonly toolForm?: ToolForm;
  readonly toolInput: unknown;
  /** One of PERMISSION_MODES; any other is treated as `default`. */
  readonly mode: string;
  readonly cwd: string;
  /** Folders that count as inside: the project's and those the user added. Only `cwd` if empty or missing. */
  readonly workspace?: readonly string[];
  readonly projectPath?: string | null;
  readonly agentType?: string | null;
}

/** What the policy may know of the machine, passed as functions so that it stays pure. */
export interface World {
  readonly home: string;
  /** The path with symlinks resolved, as far as it exists; the rest of it unchanged. */
  realPath(path: string): string;
  /** The contents of a folder. Without this function no folder can be listed. */
  entries?(folder: string): FolderListing;
  /** A small git or ignore file, or null where there is none. `unknown`: it is unreadable or too large. */
  bytes?(file: string): Uint8Array | null | "unknown";
  /** The same machine for one request: it may cache its lookups. */
  forRequest?(): World;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link";
}

/** `unknown`: it is unreadable, or has more entries than are scanned. */
export type FolderListing = readonly FolderEntry[] | "no folder" | "unknown";

/** The step that decided (docs/policy.md). A terminal's guard passes on only the first three. */
export const VERDICT_STEPS = [
  "person",
  "deny",
  "protected",
  "plan",
  "bypass",
  "edits",
  "safe",
  "allow",
  "rest",
] as const;
export type VerdictStep = (typeof VERDICT_STEPS)[number];

export interface Verdict {
  readonly verdict: "allow" | "deny" | "ask";
  readonly step: VerdictStep;
  /** The id of the rule that decided: a built-in one (`builtin/…`) or a user's own. */
  readonly rule: string;
  /** A sentence for the user, and for the model when it is denied. */
  readonly reason: string;
  /** The complete input after rewriting rules; absent when none changed it. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}
