import type { HookAsk } from "../agents/answer-format.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { type GiveRules, mayGive } from "./inject/rules.ts";
import type { GivenItem, InjectionKind } from "./memory-contract.ts";

export interface FindAskerOptions {
  readonly rows: MemoryRows;
  readonly rules: () => GiveRules;
  readonly projectOf: (cwd: string | null) => string | null;
  /** Whether anything of there is recorded now. */
  readonly mayRecord: (place: {
    projectPath: string | null;
    cwd: string | null;
    occurredAtIso: string;
  }) => boolean;
  readonly nowMs: () => number;
}

/** A session that may be given something, and what it was given before. */
export interface Asker {
  readonly ask: HookAsk;
  readonly sessionId: string;
  readonly project: string;
  readonly given: ReadonlySet<number>;
  readonly compactedAtIso: string | null;
}

/** Who asks; null for one to whom nothing may be given. */
export async function findAsker(
  options: FindAskerOptions,
  ask: HookAsk | null,
  kind: InjectionKind,
): Promise<Asker | null> {
  if (ask === null || ask.cwd === null) return null;
  const { sessionId, cwd } = ask;
  const project = options.projectOf(cwd);
  if (project === null) return null;
  const place = { projectPath: project, cwd, occurredAtIso: new Date(options.nowMs()).toISOString() };
  if (!options.mayRecord(place)) return null;
  if (mayGive(options.rules(), { kind, project, sessionId }).type === "no") return null;
  return { ask, sessionId, project, ...(await givenTo(options.rows, sessionId)) };
}

const MOST_INJECTIONS = 500;

/** What a session was given and still knows. A digest's line does not say what a prompt about it should be told. */
async function givenTo(
  rows: MemoryRows,
  sessionId: string,
): Promise<Pick<Asker, "given" | "compactedAtIso">> {
  // Together: somebody waits.
  const [compactedAtIso, injections] = await Promise.all([
    rows.lastCompaction(sessionId),
    rows.injections({ sessionId, limit: MOST_INJECTIONS }),
  ]);
  const given = new Set<number>();
  for (const { kind, atIso, itemsJson } of injections) {
    if (compactedAtIso !== null && atIso <= compactedAtIso) continue;
    if (kind !== "prompt" && kind !== "file") continue;
    for (const { id } of JSON.parse(itemsJson) as GivenItem[]) given.add(id);
  }
  return { given, compactedAtIso };
}
