import type { Env } from "../home.ts";
import type { AgentWords } from "./agent-words.ts";
import type { AnswerFormat } from "./answer-format.ts";
import type { Driving } from "./driving.ts";
import type { AgentId } from "./hook-delivery.ts";

/** An agent that can be hooked and answered. */
export interface HookedAgent {
  readonly id: AgentId;
  readonly label: string;
  readonly installer: Installer;
  readonly answers: AnswerFormat;
  readonly resume?: AgentWords["resume"];
  readonly driving?: Driving;
}

/** Where an agent's hooks go, and what a hook finds there. `src/hook` writes, checks and removes them by this. */
export interface Installer {
  /** Every event that may be watched. */
  readonly events: readonly string[];
  /** What the first record of a session carries of the environment; nothing else of it is ever stored. */
  readonly recordedEnv: readonly string[];
  /** Which digest a session is given, by the matcher of its start. */
  readonly digests: readonly { readonly name: string; readonly matcher: string }[];
  /** The matcher of tools whose input names a file. */
  readonly fileTools: string;
  readonly variables: HookVariables;
  /** What the guard's hook spools when nobody answered: JSON with `%s` for the session and the daemon's state. */
  unanswered(phase: GuardPhase): string;
  readonly program: AgentProgram;
  readonly settings: SettingsPlaces;
  /** Events of which one entry that the agent refuses switches off the whole file it stands in. */
  readonly fatalEvents?: readonly string[];
  /** The file of the user in which its MCP servers stand, under `mcpServers`. */
  mcpFile?(env: Env): string;
  readonly plugin?: PluginForm;
}

/** What a person starts it with. */
export interface AgentProgram {
  /** As it is found in the PATH. */
  readonly name: string;
  /** The oldest version that was seen to work. */
  readonly oldest: string;
  /** The command that brings it up to date. */
  readonly update: string;
  /** What a prompt follows that it is to answer without a person. */
  readonly headless: string;
}

/** What became of a call that nobody judged: it ran unchecked, or it was denied (`guard.failClosed`). */
export type GuardPhase = "unchecked" | "denied";

/** The names of variables that the agent sets for its hooks. */
export interface HookVariables {
  readonly sessionId: string;
  readonly projectDir: string;
  /** 0 where no person sits before the session. */
  readonly attended: string;
  /** The file whose lines become the session's environment. */
  readonly envFile: string;
}

export type SettingsScope = "user" | "project" | "local" | "managed";

export interface SettingsPlace {
  readonly scope: SettingsScope;
  readonly path: string;
}

export interface ChainOptions {
  readonly env: Env;
  readonly projectDir: string;
  readonly platform?: NodeJS.Platform;
  /** The folder of the settings that an administrator manages. */
  readonly managedDir?: string;
}

export interface SettingsPlaces {
  /** The file in which the agent looks for the scope's hooks. */
  file(scope: "user" | "project", env: Env, projectDir: string): string;
  /** Each file once, in the order in which a later one overrules an earlier one. */
  chain(options: ChainOptions): Promise<SettingsPlace[]>;
  /** Whether a folder has settings of its own. */
  isIn(dir: string): boolean;
}

/** Hooks that come as a plugin of the agent. They stand back where its settings already hold ours. */
export interface PluginForm {
  /** For the shell: the user's settings, and the project's without their ending; whether the user's were moved. */
  readonly shell: { readonly user: string; readonly project: string; readonly isMoved: string };
  /** The generated files of `plugin/`, by path. */
  files(version: string, hooks: unknown): Readonly<Record<string, unknown>>;
}
