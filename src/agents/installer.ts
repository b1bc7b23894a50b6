import type { Env } from "../home.ts";
import type { AgentProfile } from "./agent-profile.ts";
import type { AnswerFormat } from "./answer-format.ts";
import type { Driving } from "./driving.ts";
import type { AgentId } from "./hook-delivery.ts";

/** An agent that can be hooked and answered. */
export interface HookedAgent {
  readonly id: AgentId;
  readonly label: string;
  readonly installer: Installer;
  readonly answers: AnswerFormat;
  readonly resumeCommand?: AgentProfile["resumeCommand"];
  readonly driving?: Driving;
}

/** Where an agent's hooks go and what they find there. `src/hook` installs, checks and removes them. */
export interface Installer {
  /** Every event that may be watched. */
  readonly events: readonly string[];
  /** The environment variables in a session's first record; no others are ever stored. */
  readonly recordedEnv: readonly string[];
  /** Which digest a session gets, by the matcher of its start. */
  readonly digests: readonly { readonly name: string; readonly matcher: string }[];
  /** The matcher of tools whose input names a file. */
  readonly fileToolMatcher: string;
  readonly variables: HookVariables;
  /** What the guard's hook spools when unanswered: JSON with `%s` for the session and the daemon's state. */
  unansweredPayload(phase: GuardPhase): string;
  readonly program: AgentProgram;
  readonly settings: SettingsLocations;
  /** Events for which one rejected entry makes the agent ignore the whole settings file. */
  readonly fatalEvents?: readonly string[];
  /** The user's file that lists MCP servers under `mcpServers`. */
  mcpFile?(env: Env): string;
  readonly plugin?: PluginFormat;
}

/** The executable that starts the agent. */
export interface AgentProgram {
  /** Its name in the PATH. */
  readonly name: string;
  /** The oldest version known to work. */
  readonly minVersion: string;
  /** The command that updates it. */
  readonly updateCommand: string;
  /** The command that answers the prompt after it without user interaction. */
  readonly headlessCommand: string;
}

/** What happened to a call that was not judged: it ran unchecked, or it was denied (`guard.failClosed`). */
export type GuardPhase = "unchecked" | "denied";

/** The names of variables that the agent sets for its hooks. */
export interface HookVariables {
  readonly sessionId: string;
  readonly projectDir: string;
  /** 0 if no user attends the session. */
  readonly attended: string;
  /** The file whose lines become the session's environment. */
  readonly envFile: string;
}

export type SettingsScope = "user" | "project" | "local" | "managed";

export interface SettingsLocation {
  readonly scope: SettingsScope;
  readonly path: string;
}

export interface SettingsChainOptions {
  readonly env: Env;
  readonly projectDir: string;
  readonly platform?: NodeJS.Platform;
  /** The folder of administrator-managed settings. */
  readonly managedDir?: string;
}

export interface SettingsLocations {
  /** The file from which the agent reads the scope's hooks. */
  file(scope: "user" | "project", env: Env, projectDir: string): string;
  /** Each file once, in ascending precedence. */
  chain(options: SettingsChainOptions): Promise<SettingsLocation[]>;
  /** Whether a folder has settings of its own. */
  existsIn(dir: string): boolean;
}

/** Hooks shipped as a plugin of the agent. They do nothing if its settings already contain ours. */
export interface PluginFormat {
  /** For the shell: the user's settings, the project's without extension, whether the user's moved. */
  readonly shell: { readonly user: string; readonly project: string; readonly isMoved: string };
  /** The generated files of `plugin/`, by path. */
  files(version: string, hooks: unknown): Readonly<Record<string, unknown>>;
}
