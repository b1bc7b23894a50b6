import type { NewEvent } from "../event/event.ts";

/** One hook call as the spool delivers it. `payload` is any JSON at all. */
export interface HookDelivery {
  /** Who sent it said which agent it is; otherwise its payload tells. */
  readonly isNamed?: boolean;
  readonly payload: unknown;
  /** The allow-listed environment that SessionStart's record carries. */
  readonly env: Readonly<Record<string, string>>;
  readonly name: string;
  readonly timeNs: string;
  readonly occurredAtIso: string;
  /** Of the file, when somebody asks: only the id of a delivery needs it. */
  readonly contentHash: () => string;
  /** The agent's process, from the file's name. */
  readonly pid: number | null;
}

/** What a translator may ask about the world: the project (git common directory, else the folder) of a folder. */
export type ProjectOf = (cwd: string | null) => string | null;

type TranslateHook = (delivery: HookDelivery, projectOf: ProjectOf) => NewEvent[];

export interface TranscriptFile {
  readonly path: string;
  /** Set for a subagent's own file. */
  readonly agentId?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Reads one transcript from its first line on; a line may only be understood by what came before it. */
export interface TranscriptTranslator {
  line(line: unknown): NewEvent[];
}

export interface Agent {
  readonly provider: string;
  readonly translateHook: TranslateHook;
  readonly openTranscript: (file: TranscriptFile, projectOf: ProjectOf) => TranscriptTranslator;
}
