import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { type SessionSnapshot, SessionsPage } from "../serve/contract.ts";
import { isOver } from "../shown/session-groups.ts";
import { askOrFail } from "./ask-or-fail.ts";
import { toProject } from "./memory-args.ts";
import { faceOf, inOrder, STATE_WORDS } from "./session-face.ts";

type State = SessionSnapshot["state"];

export interface SessionFilter {
  /** Of the words that lists show; null for all. */
  readonly words: ReadonlySet<string> | null;
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
  const words = args.state?.split(",").flatMap((word) => toWords(word.trim()));
  return {
    words: words === undefined ? null : new Set(words),
    needsPerson: args["needs-me"] ?? false,
    project: toProject(args.project) ?? null,
    all: args.all ?? false,
  };
}

/** The words that a person may mean: one that is shown, or one of the API's. */
function toWords(word: string): readonly string[] {
  const known = STATE_WORDS.find((one) => one === word);
  if (known !== undefined) return [known];
  if (word === "completed") return [word];
  if (word === "active") return OPEN_WORDS;
  throw new AppError("usage", `--state is one or more of ${STATE_WORDS.join(", ")}, not "${word}".`);
}

/** A turn that failed may be the last of a session that goes on, or of one that is over. */
const OVER_WORDS = ["done", "failed", "lost", "completed"];
const OPEN_WORDS = STATE_WORDS.filter((word) => word !== "done" && word !== "lost");

function isShownAs({ words }: SessionFilter, session: SessionSnapshot): boolean {
  if (words === null || words.has(faceOf(session).word)) return true;
  return session.state === "completed" && words.has("completed");
}

/** Whether a session of the stream is meant. */
export function isMeant(session: SessionSnapshot, filter: SessionFilter, now: number): boolean {
  if (!isShownAs(filter, session)) return false;
  if (filter.needsPerson && !session.needsPerson) return false;
  if (filter.project !== null && !isUnder(session.projectPath, filter.project)) return false;
  return filter.all || !isOver(session) || session.lastEventAtIso >= recent(now);
}

/** Page by page: first all that are open, in order; then those that are over, the newest first. */
export async function* findSessions(
  home: Home,
  filter: SessionFilter,
  now: number,
): AsyncGenerator<SessionSnapshot[]> {
  const open: SessionSnapshot[] = [];
  for await (const page of pages(home, query(filter, OPEN))) open.push(...page);
  yield inOrder(open.filter((session) => isShownAs(filter, session)));
  if (filter.needsPerson) return;
  const over = query(filter, OVER);
  if (!filter.all) over?.set("since", recent(now));
  for await (const page of pages(home, over)) yield page.filter((session) => isShownAs(filter, session));
}

/** Null when the filter wants none of these states. */
function query(filter: SessionFilter, states: readonly State[]): URLSearchParams | null {
  const { words } = filter;
  const known: readonly string[] = states === OVER ? OVER_WORDS : OPEN_WORDS;
  const isWanted = words === null || known.some((word) => words.has(word));
  if (!isWanted) return null;
  const params = new URLSearchParams({ state: states.join(","), limit: String(PAGE) });
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
