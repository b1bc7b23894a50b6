/** A rule about tool calls, as read from a file and given an id. */
export interface ToolRule {
  readonly id: string;
  readonly source: RuleSource;
  /** `Bash`, `Edit|Write|MultiEdit`, `Bash(npm test*)`, `mcp__memory__.*`, `*`. */
  readonly match: string;
  readonly then: "allow" | "deny" | "ask" | "rewrite";
  readonly reason: string | null;
  /** Null: any. `project` is a glob of project folders. */
  readonly project: string | null;
  readonly agentType: string | null;
  readonly modes: readonly string[] | null;
  /** For `rewrite`: fields of the input that are set, and texts in them that are replaced. */
  readonly set: Readonly<Record<string, unknown>> | null;
  readonly replace: readonly TextReplacement[];
}

export interface TextReplacement {
  /** A field of the input, such as `command`. */
  readonly field: string;
  /** A regular expression; `with` may name its groups ($1). */
  readonly find: string;
  readonly with: string;
}

export type RuleSource = "user" | "project" | "session";

/** All that `decide` goes by beside its own table. */
export interface Policy {
  readonly rules: readonly ToolRule[];
  /** Globs of further files that may be changed only after asking. */
  readonly protect: readonly string[];
  /** Hookline's own home and port, which agents stay out of. Missing: the home is where it is by default. */
  readonly own?: OwnHome;
}

/** Where Hookline keeps its files and listens. */
export interface OwnHome {
  readonly dir: string;
  /** Null: it listens on none. */
  readonly port: number | null;
  /** The daemon's process, where it is known. */
  readonly pid?: number | null;
}

export const EMPTY_POLICY: Policy = { rules: [], protect: [] };
