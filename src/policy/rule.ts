/** A rule about tool calls, as read from a file, with its id. */
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
  /** For `rewrite`: input fields to set, and texts in them to replace. */
  readonly set: Readonly<Record<string, unknown>> | null;
  readonly replace: readonly TextReplacement[];
}

export interface TextReplacement {
  /** A field of the input, such as `command`. */
  readonly field: string;
  /** A regular expression; `with` may refer to its groups ($1). */
  readonly find: string;
  readonly with: string;
}

export type RuleSource = "user" | "project" | "session";

/** Everything `decide` uses besides its own table. */
export interface Policy {
  readonly rules: readonly ToolRule[];
  /** Globs of further files that may be changed only after asking. */
  readonly protect: readonly string[];
  /** Hookline's own home and port, which agents must not touch. Missing: the default home. */
  readonly own?: OwnHome;
}

/** Where Hookline stores its files and listens. */
export interface OwnHome {
  readonly dir: string;
  /** Null: it does not listen on a port. */
  readonly port: number | null;
  /** The daemon's pid, where it is known. */
  readonly pid?: number | null;
}

export const EMPTY_POLICY: Policy = { rules: [], protect: [] };
