import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { type SessionSnapshot, SessionsPage } from "../serve/contract.ts";
import { isSessionOver } from "../shown/session-groups.ts";
import { askOrFail } from "./ask-or-fail.ts";
import { toProject } from "./memory-args.ts";
import { STATE_LABELS, sortSessions, stateBadge } from "./state-badge.ts";

type State = SessionSnapshot["state"];

export interface SessionFilter {
  /** State labels as shown in lists; null for all. */
  readonly labels: ReadonlySet<string> | null;
  readonly needsPerson: boolean;
  readonly project: string | null;
  /** Includes sessions that ended more than a day ago. */
  readonly all: boolean;
}

const OPEN: readonly State[] = ["active", "idle"];
const ENDED: readonly State[] = ["completed", "lost"];
const RECENT_MS = 24 * 3_600_000;
const PAGE_SIZE = 500;

/** The filter from command-line arguments. */
export function toSessionFilter(args: {
  readonly state?: string;
  readonly "needs-me"?: boolean;
  readonly project?: string;
  readonly all?: boolean;
}): SessionFilter {
  const words = args.state?.split(",").flatMap((word) => toLabels(word.trim()));
  return {
    labels: words === undefined ? null : new Set(words),
    needsPerson: args["needs-me"] ?? false,
    project: toProject(args.project) ?? null,
    all: args.all ?? false,
  };
}

/** The labels a word can refer to: a displayed label, or one of the API's states. */
function toLabels(word: string): readonly string[] {
  const label = STATE_LABELS.find((known) => known === word);
  if (label !== undefined) return [label];
  if (word === "completed") return [word];
  if (word === "active") return OPEN_LABELS;
  throw new AppError("usage", `--state must be one or more of ${STATE_LABELS.join(", ")}, not "${word}".`);
}

/** A failed turn may be the last of an open session or of an ended one. */
const ENDED_LABELS = ["done", "failed", "lost", "completed"];
const OPEN_LABELS = STATE_LABELS.filter((word) => word !== "done" && word !== "lost");

function hasWantedLabel({ labels }: SessionFilter, session: SessionSnapshot): boolean {
  if (labels === null || labels.has(stateBadge(session).label)) return true;
  return session.state === "completed" && labels.has("completed");
}

/** Whether a session from the stream matches. */
export function matchesFilter(session: SessionSnapshot, filter: SessionFilter, now: number): boolean {
  if (!hasWantedLabel(filter, session)) return false;
  if (filter.needsPerson && !session.needsPerson) return false;
  if (filter.project !== null && !isUnder(session.projectPath, filter.project)) return false;
  return filter.all || !isSessionOver(session) || session.lastEventAtIso >= recentSinceIso(now);
}

/** Page by page: first all open sessions in order, then the ended ones, newest first. */
export async function* findSessions(
  home: Home,
  filter: SessionFilter,
  now: number,
): AsyncGenerator<SessionSnapshot[]> {
  const open: SessionSnapshot[] = [];
  for await (const page of pages(home, query(filter, OPEN))) open.push(...page);
  yield sortSessions(open.filter((session) => hasWantedLabel(filter, session)));
  if (filter.needsPerson) return;
  const endedQuery = query(filter, ENDED);
  if (!filter.all) endedQuery?.set("since", recentSinceIso(now));
  for await (const page of pages(home, endedQuery))
    yield page.filter((session) => hasWantedLabel(filter, session));
}

/** Null when the filter excludes all of these states. */
function query(filter: SessionFilter, states: readonly State[]): URLSearchParams | null {
  const { labels } = filter;
  const labelsOfStates: readonly string[] = states === ENDED ? ENDED_LABELS : OPEN_LABELS;
  const isWanted = labels === null || labelsOfStates.some((word) => labels.has(word));
  if (!isWanted) return null;
  const params = new URLSearchParams({ state: states.join(","), limit: String(PAGE_SIZE) });
  if (filter.needsPerson) params.set("needsPerson", "true");
  if (filter.project !== null) params.set("project", filter.project);
  return params;
}

async function* pages(home: Home, params: URLSearchParams | null): AsyncGenerator<SessionSnapshot[]> {
  if (params === null) return;
  for (;;) {
    const page = await askOrFail(home, SessionsPage, `/api/sessions?${params}`);
    if (page.sessions.length > 0) yield page.sessions;
    if (page.next === null) return;
    params.set("after", page.next);
  }
}

function isUnder(path: string | null, project: string): boolean {
  return path !== null && (path === project || path.endsWith(`/${project.replace(/^\/+/, "")}`));
}

function recentSinceIso(now: number): string {
  return new Date(now - RECENT_MS).toISOString();
}
