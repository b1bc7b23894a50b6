import type { AgentTable } from "../agents/agent-table.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { NewEvent } from "../event/event.ts";
import { parseSpoolFile, readSpoolFile, type SpoolFile, type SpoolRead } from "../spool/read-spool.ts";
import type { SpooledRequests } from "./spooled-requests.ts";

export interface TakenWhole {
  readonly type: "complete";
  readonly events: readonly NewEvent[];
}

export type Taken = Exclude<SpoolRead, { type: "complete" }> | TakenWhole | { readonly type: "unreadable" };

export interface TakeOptions {
  readonly agents: Pick<AgentTable, "translateHook" | "recordedEnv">;
  readonly projectOf: ProjectOf;
  readonly requests: SpooledRequests;
}

/** What a spool file tells, translated. Its content is read where it is null. */
export function takeSpoolFile(file: SpoolFile, content: Buffer | null, options: TakeOptions): Taken {
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
    // The file may be readable later.
    if (isPassing(error)) return { type: "unreadable" };
    // Nobody can make sense of it (too large for one string): it holds up no other.
    return { type: "incomplete", content: Buffer.alloc(0), reason: String(error) };
  }
}

/** Trouble of the machine, not of what was read. */
function isPassing(error: unknown): boolean {
  return typeof (error as { errno?: unknown }).errno === "number";
}
