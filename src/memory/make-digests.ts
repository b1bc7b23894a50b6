import type { MemoryRows } from "../store/memory-rows.ts";
import { readDigestItems } from "./digest-items.ts";
import { buildDigest, type DigestSource } from "./inject/build-digest.ts";
import type { Given } from "./inject/fill-budget.ts";
import { type GiveRules, mayGive } from "./inject/rules.ts";
import type { DigestName } from "./inject/write-digests.ts";
import type { OpenWork } from "./open-work.ts";

export interface MakeDigestsOptions {
  readonly rows: MemoryRows;
  readonly rules: () => GiveRules;
  readonly changedFiles: (project: string) => Promise<readonly string[]>;
  readonly budgetTokens: number;
  readonly nowMs: () => number;
  readonly timeZone: () => string;
}

export const DIGEST_SOURCES = ["startup", "resume", "compact"] as const;

/** Sessions of a project that may be resumed, the newest. */
const SESSIONS = 8;
/** What can be part of a file's name. */
const SESSION_ID = /^[\w.-]{1,100}$/;

/** All digests of a project by the rules of now; null for a session that is to be given nothing. */
export async function makeDigests(
  options: MakeDigestsOptions,
  openWork: OpenWork,
  project: string,
): Promise<Map<DigestName, Given | null>> {
  const rules = options.rules();
  const may = (kind: DigestSource, sessionId: string | null): boolean =>
    mayGive(rules, { kind, project, sessionId }).type === "yes";
  const digests = new Map<DigestName, Given | null>();
  if (!DIGEST_SOURCES.some((kind) => may(kind, null))) return digests;
  const base = await readBase(options, project);
  const put = (source: DigestSource, sessionId: string | null, work: readonly string[] = []): void => {
    const name: DigestName = sessionId === null ? source : `${source}-${sessionId}`;
    const isAllowed = may(source, sessionId);
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
  for (const [sessionId, text] of openWork.of(project)) put("compact", sessionId, [text]);
  return digests;
}

/** The digest that any session would be given now. */
export async function previewDigest(
  options: MakeDigestsOptions,
  project: string,
  source: DigestSource,
): Promise<Given | { readonly off: string } | null> {
  const may = mayGive(options.rules(), { kind: source, project, sessionId: null });
  if (may.type === "no") return { off: may.why };
  return buildDigest({ ...(await readBase(options, project)), source, sessionId: null });
}

async function readBase(options: MakeDigestsOptions, project: string) {
  const changedFiles = await options.changedFiles(project);
  const items = await readDigestItems(options.rows, project);
  const sessions = [...new Set(items.map(({ sessionId }) => sessionId))].slice(0, SESSIONS);
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
