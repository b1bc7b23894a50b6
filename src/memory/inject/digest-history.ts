import type { DigestSource } from "./build-digest.ts";
import type { InjectedContext } from "./fill-budget.ts";

/** Which digests were on disk when: sessions report their start later, and may have read an older one. */
export interface DigestHistory {
  /** These are on disk now. */
  record(project: string, digests: ReadonlyMap<string, InjectedContext | null>): void;
  /** What a session that started then was given, if known. */
  injectedAt(
    project: string,
    sessionId: string,
    source: DigestSource,
    atIso: string,
  ): InjectedContext | undefined;
}

interface WrittenName {
  /** When it was last among the digests of its project. */
  readonly lastMs: number;
  /** Newest first. */
  readonly digests: readonly { readonly atIso: string; readonly given: InjectedContext | null }[];
}

/** Versions kept per name: a session may have read the previous one. */
const EARLIER = 3;
/** By then any session that read a digest no longer written has reported it. */
const READ_MS = 24 * 3_600_000;
const MAX_PROJECTS = 100;

export function createDigestHistory(nowMs: () => number): DigestHistory {
  /** By project, least recently updated first, then by name. */
  const written = new Map<string, Map<string, WrittenName>>();

  return {
    record(project, digests) {
      const names = written.get(project) ?? new Map<string, WrittenName>();
      noteNames(names, digests, nowMs());
      written.delete(project);
      written.set(project, names);
      const [oldest] = written.keys();
      if (written.size > MAX_PROJECTS) written.delete(oldest!);
    },
    injectedAt(project, sessionId, source, atIso) {
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
  digests: ReadonlyMap<string, InjectedContext | null>,
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
