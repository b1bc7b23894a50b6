import { resolve } from "node:path";
import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { type SessionSnapshot, SessionsPage } from "../serve/contract.ts";
import { askOrFail } from "./ask-or-fail.ts";
import { groupOf, inOrder } from "./session-face.ts";

type State = SessionSnapshot["state"];

export interface SessionFilter {
  readonly states: readonly State[];
  readonly needsPerson: boolean;
  readonly project: string | null;
  /** Also what ended more than a day ago. */
  readonly all: boolean;
}

const OPEN: readonly State[] = ["active", "idle"];
const OVER: readonly State[] = ["completed", "lost"];
const RECENT_MS = 24 * 3_600_000;
const PAGE = 500;

/** The filter that a person wrote. */
export function toFilter(args: {
  readonly state?: string;
  readonly "needs-me"?: boolean;
  readonly project?: string;
  readonly all?: boolean;
}): SessionFilter {
  const known = [...OPEN, ...OVER];
  const states = args.state === undefined ? known : args.state.split(",").map((word) => word.trim());
  const wrong = states.find((word) => !known.includes(word as State));
  if (wrong !== undefined)
    throw new AppError("usage", `--state is one or more of ${known.join(", ")}, not "${wrong}".`);
  const { project = null } = args;
  return {
    states: states as State[],
    needsPerson: args["needs-me"] ?? false,
    // The API takes the end of a path, which "." is not.
    project: project !== null && /^\.{1,2}(\/|$)/.test(project) ? resolve(project) : project,
    all: args.all ?? false,
  };
}

/** Whether a session of the stream is meant. */
export function isMeant(session: SessionSnapshot, filter: SessionFilter, now: number): boolean {
  if (!filter.states.includes(session.state)) return false;
  if (filter.needsPerson && !session.needsPerson) return false;
  if (filter.project !== null && !isUnder(session.projectPath, filter.project)) return false;
  return filter.all || groupOf(session) !== "finished" || session.lastEventAtIso >= recent(now);
}

/** Page by page: first all that are open, in order; then those that are over, the newest first. */
export async function* findSessions(
  home: Home,
  filter: SessionFilter,
  now: number,
): AsyncGenerator<SessionSnapshot[]> {
  const open: SessionSnapshot[] = [];
  for await (const page of pages(home, query(filter, OPEN))) open.push(...page);
  yield inOrder(open);
  if (filter.needsPerson) return;
  const over = query(filter, OVER);
  if (!filter.all) over?.set("since", recent(now));
  for await (const page of pages(home, over)) yield page;
}

/** Null when the filter wants none of these states. */
function query(filter: SessionFilter, states: readonly State[]): URLSearchParams | null {
  const wanted = states.filter((state) => filter.states.includes(state));
  if (wanted.length === 0) return null;
  const params = new URLSearchParams({ state: wanted.join(","), limit: String(PAGE) });
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

function recent(now: number): string {
  return new Date(now - RECENT_MS).toISOString();
}
