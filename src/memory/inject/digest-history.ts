import type { DigestSource } from "./build-digest.ts";
import type { Given } from "./fill-budget.ts";

/** Which digests lay ready when: a session says only later that it began, and may have read an earlier one. */
export interface DigestHistory {
  /** These lie ready now. */
  note(project: string, digests: ReadonlyMap<string, Given | null>): void;
  /** What was given to a session that began then, as far as it is known. */
  givenAt(project: string, sessionId: string, source: DigestSource, atIso: string): Given | undefined;
}

interface WrittenName {
  /** When it was last among the digests of its project. */
  readonly lastMs: number;
  /** The newest first. */
  readonly digests: readonly { readonly atIso: string; readonly given: Given | null }[];
}

/** How many earlier digests of a name are remembered: a session may have read the one before. */
const EARLIER = 3;
/** Whoever read a digest that is no longer written has said so by then. */
const READ_MS = 24 * 3_600_000;
const MAX_PROJECTS = 100;

export function createDigestHistory(nowMs: () => number): DigestHistory {
  /** By project, the one touched last at the end, and by name. */
  const written = new Map<string, Map<string, WrittenName>>();

  return {
    note(project, digests) {
      const names = written.get(project) ?? new Map<string, WrittenName>();
      noteNames(names, digests, nowMs());
      written.delete(project);
      written.set(project, names);
      const [oldest] = written.keys();
      if (written.size > MAX_PROJECTS) written.delete(oldest!);
    },
    givenAt(project, sessionId, source, atIso) {
      for (const name of [`${source}-${sessionId}`, source]) {
        const found = written
          .get(project)
          ?.get(name)
          ?.digests.find((each) => each.atIso <= atIso);
        if (found !== undefined) return found.given ?? undefined;
      }
      return undefined;
    },
  };
}

function noteNames(
  names: Map<string, WrittenName>,
  digests: ReadonlyMap<string, Given | null>,
  lastMs: number,
): void {
  for (const [name, given] of digests) {
    const before = names.get(name)?.digests ?? [];
    const isSame = before.length > 0 && before[0]?.given?.text === given?.text;
    const newest = isSame ? [] : [{ atIso: new Date(lastMs).toISOString(), given }];
    names.set(name, { lastMs, digests: [...newest, ...before].slice(0, EARLIER) });
  }
  for (const [name, known] of names) if (known.lastMs < lastMs - READ_MS) names.delete(name);
}
