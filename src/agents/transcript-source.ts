import type { NewEvent } from "../event/event.ts";
import type { Env } from "../home.ts";
import type { ProjectOf } from "./hook-delivery.ts";

/** Where an agent keeps its transcripts, and how they are read. One file holds one line of JSON per entry. */
export interface TranscriptSource {
  /** The folder that an import reads unless told otherwise. */
  root(env: Env): string;
  /** All transcripts under a folder, a session's own before those of its subagents. */
  find(root: string): FoundTranscript[];
  /** What the place of a file, and what lies beside it, say of it. */
  describe(path: string): TranscriptFile;
  /** The folder in which a session's subagents write while it runs, and which of its files are theirs. */
  subagentsOf(path: string): SubagentFolder;
  open(file: TranscriptFile, projectOf: ProjectOf): TranscriptTranslator;
}

export interface SubagentFolder {
  readonly dir: string;
  isTranscript(name: string): boolean;
}

export interface TranscriptFile {
  readonly path: string;
  /** Set for a subagent's own file. */
  readonly agentId?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

export interface FoundTranscript extends TranscriptFile {
  readonly sizeBytes: number;
}

/** Reads one transcript from its first line on; a line may only be understood by what came before it. */
export interface TranscriptTranslator {
  line(line: unknown): NewEvent[];
}
