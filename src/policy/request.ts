import type { ToolForm } from "../agents/tool-table.ts";

/** What is judged, and the verdict. Pure data: shared by the gate of driven sessions, the guard of terminals and the CLI. */

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
  /** What the tool works like, by the table of the agent that asks; a tool of Claude Code where it is missing. */
  readonly toolForm?: ToolForm;
  readonly toolInput: unknown;
  /** One of PERMISSION_MODES; any other is treated as `default`. */
  readonly mode: string;
  readonly cwd: string;
  /** Folders that count as inside: the project's, and those a person added. `cwd` alone when empty or missing. */
  readonly workspace?: readonly string[];
  readonly projectPath?: string | null;
  readonly agentType?: string | null;
}

/** What the policy may know of the machine, given as functions so that it stays pure. */
export interface World {
  readonly home: string;
  /** The path with every symlink resolved, as far as it exists; the rest of it unchanged. */
  realPath(path: string): string;
  /** What lies in a folder. Where it is missing, no folder can be looked into. */
  entries?(folder: string): FolderListing;
  /** A small file of git's or an ignore file, or null where there is none. `unknown`: it cannot be read, or is too large. */
  bytes?(file: string): Uint8Array | null | "unknown";
  /** The same machine for one request: it may remember what it has looked up. */
  forRequest?(): World;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link";
}

/** `unknown`: it cannot be read, or more lies in it than is looked through. */
export type FolderListing = readonly FolderEntry[] | "no folder" | "unknown";

/** Where in the order it was decided (docs/policy.md). A terminal's guard passes on the first three alone. */
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
  /** The id of the rule that decided: a built-in one (`builtin/…`) or somebody's own. */
  readonly rule: string;
  /** A sentence for the person, and for the model when it is denied. */
  readonly reason: string;
  /** The whole input as a rewriting rule left it; absent when none did. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}
