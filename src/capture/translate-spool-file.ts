import type { AgentTable } from "../agents/agent-table.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { NewEvent } from "../event/event.ts";
import { parseSpoolFile, readSpoolFile, type SpoolFile, type SpoolRead } from "../spool/read-spool.ts";
import type { SpooledRequests } from "./spooled-requests.ts";

export interface CompleteTranslation {
  readonly type: "complete";
  readonly events: readonly NewEvent[];
}

export type SpoolTranslation =
  | Exclude<SpoolRead, { type: "complete" }>
  | CompleteTranslation
  | { readonly type: "unreadable" };

export interface SpoolTranslationOptions {
  readonly agents: Pick<AgentTable, "translateHook" | "recordedEnv">;
  readonly projectOf: ProjectOf;
  readonly requests: SpooledRequests;
}

/** Translates a spool file. If its content is null, reads it. */
export function translateSpoolFile(
  file: SpoolFile,
  content: Buffer | null,
  options: SpoolTranslationOptions,
): SpoolTranslation {
  const { agents, projectOf, requests } = options;
  try {
    const read =
      content === null
        ? readSpoolFile(file, agents.recordedEnv)
        : parseSpoolFile(file, content, agents.recordedEnv);
    if (read.type !== "complete") return read;
    const events = agents.translateHook(read.delivery, projectOf);
    requests.note(file.name, events, read.delivery.payload);
    return { type: "complete", events };
  } catch (error) {
    // The file may become readable later.
    if (isTransientError(error)) return { type: "unreadable" };
    // Permanently unreadable (too large for one string): it must not hold up others.
    return { type: "incomplete", content: Buffer.alloc(0), reason: String(error) };
  }
}

/** An error of the machine, not of the content. */
function isTransientError(error: unknown): boolean {
  return typeof (error as { errno?: unknown }).errno === "number";
}
