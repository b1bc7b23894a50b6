/** The search parameters in the URL. */
export interface SearchParams {
  readonly q: string;
  readonly filters: Readonly<Partial<Record<Facet, string>>>;
  readonly limit: number;
  /** The item whose detail is open. */
  readonly open: number | null;
}

export const FACETS = ["time", "project", "kind", "type", "tool", "file"] as const;
export type Facet = (typeof FACETS)[number];

export const TIMES = ["1", "7", "30"] as const;
const FIRST_LIMIT = 40;
const MAX_LIMIT = 100;
const DAY_MS = 86_400_000;

export function fromQuery(query: URLSearchParams): SearchParams {
  const open = Number(query.get("open"));
  const filters = Object.fromEntries(
    FACETS.flatMap((facet) => {
      const value = query.get(facet);
      return value === null || value === "" ? [] : [[facet, value]];
    }),
  );
  return {
    q: query.get("q") ?? "",
    filters,
    limit: query.get("all") === null ? FIRST_LIMIT : MAX_LIMIT,
    open: query.has("open") && Number.isSafeInteger(open) ? open : null,
  };
}

export function toHref({ q, filters, limit, open }: SearchParams): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  for (const facet of FACETS) if (filters[facet] !== undefined) query.set(facet, filters[facet]);
  if (limit > FIRST_LIMIT) query.set("all", "");
  if (open !== null) query.set("open", String(open));
  return query.size === 0 ? "/search" : `/search?${query}`;
}

/** The API path of a search. Without a query and filters it returns the latest items. */
export function toApiPath({ q, filters, limit }: SearchParams, nowMs: number): string {
  const { time, ...others } = filters;
  const query = new URLSearchParams({ ...others, limit: String(limit) });
  if (q.trim() !== "") query.set("q", q.trim());
  const days = Number(time);
  if (days > 0) query.set("since", new Date(nowMs - days * DAY_MS).toISOString());
  else if (q.trim() === "" && Object.keys(others).length === 0) query.set("since", new Date(0).toISOString());
  return `/api/search?${query}`;
}

/** The limit was reached, so there may be more. */
export function isLimitReached(params: SearchParams, hits: number): boolean {
  return hits >= params.limit;
}

export function hasMore(params: SearchParams, hits: number): boolean {
  return isLimitReached(params, hits) && params.limit < MAX_LIMIT;
}

export function withMore(params: SearchParams): SearchParams {
  return { ...params, limit: MAX_LIMIT };
}
