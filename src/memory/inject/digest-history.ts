import type { DigestSource } from "./build-digest.ts";
import type { InjectedContext } from "./fill-budget.ts";

/** Which digests were on disk when: sessions report their start later, and may have read an older one. */
export interface DigestHistory {
  /** These are on disk now. */
  record(project: string, digests: ReadonlyMap<string, InjectedContext | null>): void;
  /** What was injected into a session that started then, if known. */
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
  readonly digests: readonly { readonly atIso: string; readonly context: InjectedContext | null }[];
}

/** Versions kept per name: a session may have read the previous one. */
const MAX_VERSIONS = 3;
/** By then any session that read a digest no longer written has reported it. */
const MAX_REPORT_DELAY_MS = 24 * 3_600_000;
const MAX_PROJECTS = 100;

export function createDigestHistory(nowMs: () => number): DigestHistory {
  /** By project, least recently updated first, then by name. */
  const digestsByProject = new Map<string, Map<string, WrittenName>>();

  return {
    record(project, digests) {
      const names = digestsByProject.get(project) ?? new Map<string, WrittenName>();
      noteNames(names, digests, nowMs());
      digestsByProject.delete(project);
      digestsByProject.set(project, names);
      const [oldest] = digestsByProject.keys();
      if (digestsByProject.size > MAX_PROJECTS) digestsByProject.delete(oldest!);
    },
    injectedAt(project, sessionId, source, atIso) {
      for (const name of [`${source}-${sessionId}`, source]) {
        const found = digestsByProject
          .get(project)
          ?.get(name)
          ?.digests.find((version) => version.atIso <= atIso);
        if (found !== undefined) return found.context ?? undefined;
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
  for (const [name, context] of digests) {
    const earlier = names.get(name)?.digests ?? [];
    const isSame = earlier.length > 0 && earlier[0]?.context?.text === context?.text;
    const newest = isSame ? [] : [{ atIso: new Date(lastMs).toISOString(), context }];
    names.set(name, { lastMs, digests: [...newest, ...earlier].slice(0, MAX_VERSIONS) });
  }
  for (const [name, entry] of names) if (entry.lastMs < lastMs - MAX_REPORT_DELAY_MS) names.delete(name);
}
