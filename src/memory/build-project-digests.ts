import type { MemoryRows } from "../store/memory-rows.ts";
import { readDigestItems } from "./digest-items.ts";
import { buildDigest, type DigestSource } from "./inject/build-digest.ts";
import type { InjectedContext } from "./inject/fill-budget.ts";
import { checkInjection, type InjectionRules } from "./inject/injection-rules.ts";
import type { DigestName } from "./inject/write-digests.ts";
import type { OpenWorkTracker } from "./open-work-tracker.ts";

export interface ProjectDigestsOptions {
  readonly rows: MemoryRows;
  readonly rules: () => InjectionRules;
  readonly changedFiles: (project: string) => Promise<readonly string[]>;
  readonly budgetTokens: number;
  readonly nowMs: () => number;
  readonly timeZone: () => string;
}

export const DIGEST_SOURCES = ["startup", "resume", "compact"] as const;

/** Newest sessions of a project that get their own resume digest. */
const MAX_RESUME_SESSIONS = 8;
/** Safe as part of a file name. */
const SESSION_ID = /^[\w.-]{1,100}$/;

/** Builds all digests of a project by the current rules; null for a session that must get nothing. */
export async function buildProjectDigests(
  options: ProjectDigestsOptions,
  openWork: OpenWorkTracker,
  project: string,
): Promise<Map<DigestName, InjectedContext | null>> {
  const rules = options.rules();
  const isInjectable = (kind: DigestSource, sessionId: string | null): boolean =>
    checkInjection(rules, { kind, project, sessionId }).type === "yes";
  const digests = new Map<DigestName, InjectedContext | null>();
  if (!DIGEST_SOURCES.some((kind) => isInjectable(kind, null))) return digests;
  const base = await readBase(options, project);
  const put = (source: DigestSource, sessionId: string | null, work: readonly string[] = []): void => {
    const name: DigestName = sessionId === null ? source : `${source}-${sessionId}`;
    const isAllowed = isInjectable(source, sessionId);
    digests.set(name, isAllowed ? buildDigest({ ...base, source, sessionId, openWork: work }) : null);
  };
  for (const source of DIGEST_SOURCES) put(source, null);
  const sessions = new Set([
    ...base.sessions,
    ...rules.switches.sessions.filter((id) => SESSION_ID.test(id)),
  ]);
  for (const sessionId of sessions) put("resume", sessionId);
  for (const sessionId of rules.switches.sessions.filter((id) => sessions.has(id))) {
    put("startup", sessionId);
    put("compact", sessionId);
  }
  for (const [sessionId, text] of openWork.forProject(project)) put("compact", sessionId, [text]);
  return digests;
}

/** Builds the digest that any session would get now. */
export async function previewDigest(
  options: ProjectDigestsOptions,
  project: string,
  source: DigestSource,
): Promise<InjectedContext | { readonly off: string } | null> {
  const verdict = checkInjection(options.rules(), { kind: source, project, sessionId: null });
  if (verdict.type === "no") return { off: verdict.why };
  return buildDigest({ ...(await readBase(options, project)), source, sessionId: null });
}

async function readBase(options: ProjectDigestsOptions, project: string) {
  const changedFiles = await options.changedFiles(project);
  const items = await readDigestItems(options.rows, project);
  const sessions = [...new Set(items.map(({ sessionId }) => sessionId))].slice(0, MAX_RESUME_SESSIONS);
  return {
    project,
    timeZone: options.timeZone(),
    items,
    sessions: sessions.filter((id) => SESSION_ID.test(id)),
    changedFiles,
    nowIso: new Date(options.nowMs()).toISOString(),
    budgetTokens: options.budgetTokens,
  };
}
