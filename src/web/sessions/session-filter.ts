import { shortModelName } from "../../agents/model-name.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { groupOf, type SessionGroup } from "../../shown/session-groups.ts";
import { waitDurationMs } from "../../shown/wait-duration.ts";
import { SESSION_GROUPS } from "../components/session-group-order.ts";

/** Which sessions to show, and in what order. Stored in the URL, so a view can be saved and shared. */
export interface SessionFilter {
  readonly show: readonly SessionGroup[];
  readonly project: string | null;
  /** The short name, so dated and undated names of a model are one option. */
  readonly model: string | null;
  readonly text: string;
  /** Only starred sessions. */
  readonly isStarred: boolean;
  readonly since: Since;
  readonly sort: Sort;
  readonly isAscending: boolean;
}

export const SINCE = { any: 0, h: 3_600_000, d: 86_400_000, w: 604_800_000, m: 2_592_000_000 } as const;
export type Since = keyof typeof SINCE;
export const SORTS = ["last", "cost", "wait"] as const;
export type Sort = (typeof SORTS)[number];

export function fromQuery(query: URLSearchParams): SessionFilter {
  const [sort = "last", direction] = (query.get("sort") ?? "last").split(".");
  const since = query.get("since") ?? "any";
  const model = query.get("model");
  const show = (query.get("show") ?? "").split(",");
  return {
    show: SESSION_GROUPS.filter((group) => show.includes(group)),
    project: query.get("project"),
    model: model === null ? null : shortModelName(model),
    text: query.get("q") ?? "",
    isStarred: query.get("star") === "1",
    since: since in SINCE ? (since as Since) : "any",
    sort: SORTS.find((name) => name === sort) ?? "last",
    isAscending: direction === "up",
  };
}

export function toHref(filter: SessionFilter): string {
  const query = new URLSearchParams();
  if (filter.show.length > 0) query.set("show", filter.show.join(","));
  if (filter.project !== null) query.set("project", filter.project);
  if (filter.model !== null) query.set("model", filter.model);
  if (filter.text !== "") query.set("q", filter.text);
  if (filter.isStarred) query.set("star", "1");
  if (filter.since !== "any") query.set("since", filter.since);
  if (filter.sort !== "last" || filter.isAscending)
    query.set("sort", filter.sort + (filter.isAscending ? ".up" : ""));
  return query.size === 0 ? "/sessions" : `/sessions?${query}`;
}

export function isFiltered({ show, project, model, text, isStarred, since }: SessionFilter): boolean {
  return show.length > 0 || project !== null || model !== null || text !== "" || isStarred || since !== "any";
}

export interface FoundSessions {
  readonly found: readonly SessionSnapshot[];
  /** Of the sessions that match the rest of the filter. */
  readonly counts: Readonly<Record<SessionGroup, number>>;
}

export function findSessions(
  sessions: Iterable<SessionSnapshot>,
  filter: SessionFilter,
  nowMs: number,
  starred: ReadonlySet<string> = new Set(),
): FoundSessions {
  const counts = { needYou: 0, busy: 0, parked: 0, idle: 0, done: 0, lost: 0 };
  const found: SessionSnapshot[] = [];
  const terms = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const sinceIso = filter.since === "any" ? "" : new Date(nowMs - SINCE[filter.since]).toISOString();
  for (const session of sessions) {
    if (filter.project !== null && session.projectPath !== filter.project) continue;
    if (filter.model !== null && shortModelName(session.model ?? "") !== filter.model) continue;
    if (session.lastEventAtIso < sinceIso) continue;
    if (filter.isStarred && !starred.has(session.sessionId)) continue;
    if (terms.length > 0 && !terms.every((term) => textOf(session).includes(term))) continue;
    const group = groupOf(session);
    counts[group]++;
    if (filter.show.length === 0 || filter.show.includes(group)) found.push(session);
  }
  const direction = filter.isAscending ? -1 : 1;
  const value = orderValue(filter.sort, nowMs);
  found.sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    return (
      direction * (left < right ? 1 : left > right ? -1 : 0) || (a.lastEventAtIso < b.lastEventAtIso ? 1 : -1)
    );
  });
  return { found, counts };
}

function orderValue(sort: Sort, nowMs: number): (session: SessionSnapshot) => number | string {
  switch (sort) {
    case "last":
      return ({ lastEventAtIso }) => lastEventAtIso;
    case "cost":
      return ({ cost }) => cost.micros ?? -1;
    case "wait":
      return (session) => waitDurationMs(session, nowMs);
    default:
      return sort satisfies never;
  }
}

const searchTexts = new WeakMap<SessionSnapshot, string>();

function textOf(session: SessionSnapshot): string {
  const cached = searchTexts.get(session);
  if (cached !== undefined) return cached;
  const { title, lastUserMessage, projectPath, gitBranch, sessionId, model } = session;
  const text = [title, lastUserMessage, projectPath, gitBranch, sessionId, model].join("\n").toLowerCase();
  searchTexts.set(session, text);
  return text;
}
