import type { HookAsk } from "../agents/answer-format.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { checkInjection, type InjectionRules } from "./inject/injection-rules.ts";
import type { InjectedItem, InjectionKind } from "./memory-contract.ts";

export interface FindCallerOptions {
  readonly rows: MemoryRows;
  readonly rules: () => InjectionRules;
  readonly projectOf: (cwd: string | null) => string | null;
  /** Whether this location is recorded now. */
  readonly mayRecord: (location: {
    projectPath: string | null;
    cwd: string | null;
    occurredAtIso: string;
  }) => boolean;
  readonly nowMs: () => number;
}

/** A session that may get an injection, and what was injected before. */
export interface HookCaller {
  readonly ask: HookAsk;
  readonly sessionId: string;
  readonly project: string;
  readonly injectedIds: ReadonlySet<number>;
  readonly compactedAtIso: string | null;
}

/** Returns the calling session; null for one that may get nothing. */
export async function findCaller(
  options: FindCallerOptions,
  ask: HookAsk | null,
  kind: InjectionKind,
): Promise<HookCaller | null> {
  if (ask === null || ask.cwd === null) return null;
  const { sessionId, cwd } = ask;
  const project = options.projectOf(cwd);
  if (project === null) return null;
  const location = { projectPath: project, cwd, occurredAtIso: new Date(options.nowMs()).toISOString() };
  if (!options.mayRecord(location)) return null;
  if (checkInjection(options.rules(), { kind, project, sessionId }).type === "no") return null;
  return { ask, sessionId, project, ...(await injectedInto(options.rows, sessionId)) };
}

const MAX_INJECTIONS = 500;

/** Returns what the session still has in context. Digest lines do not count: too short for a prompt. */
async function injectedInto(
  rows: MemoryRows,
  sessionId: string,
): Promise<Pick<HookCaller, "injectedIds" | "compactedAtIso">> {
  // In parallel: the hook is waiting.
  const [compactedAtIso, injections] = await Promise.all([
    rows.lastCompaction(sessionId),
    rows.injections({ sessionId, limit: MAX_INJECTIONS }),
  ]);
  const injectedIds = new Set<number>();
  for (const { kind, atIso, itemsJson } of injections) {
    if (compactedAtIso !== null && atIso <= compactedAtIso) continue;
    if (kind !== "prompt" && kind !== "file") continue;
    for (const { id } of JSON.parse(itemsJson) as InjectedItem[]) injectedIds.add(id);
  }
  return { injectedIds, compactedAtIso };
}
