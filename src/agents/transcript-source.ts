import type { NewEvent } from "../event/event.ts";
import type { Env } from "../home.ts";
import type { ProjectOf } from "./hook-delivery.ts";

/** Where an agent stores its transcripts and how to read them. Each file holds one JSON entry per line. */
export interface TranscriptSource {
  /** The folder that an import reads by default. */
  root(env: Env): string;
  /** All transcripts under a folder, a session's own before those of its subagents. */
  find(root: string): FoundTranscript[];
  /** Derives what a file's path, and the files beside it, say about it. */
  describe(path: string): TranscriptFile;
  /** The folder in which a running session's subagents write, and which of its files are theirs. */
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

/** Reads one transcript from its first line on; a line may depend on the lines before it. */
export interface TranscriptTranslator {
  translateLine(line: unknown): NewEvent[];
}
