/** What is searched for, as it stands in the address. */
export interface SearchWish {
  readonly q: string;
  readonly filters: Readonly<Partial<Record<Facet, string>>>;
  readonly limit: number;
  /** The item whose detail is open. */
  readonly open: number | null;
}

export const FACETS = ["time", "project", "kind", "type", "tool", "file"] as const;
export type Facet = (typeof FACETS)[number];

export const TIMES = ["1", "7", "30"] as const;
const FIRST = 40;
const MOST = 100;
const DAY_MS = 86_400_000;

export function fromAddress(query: URLSearchParams): SearchWish {
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
    limit: query.get("all") === null ? FIRST : MOST,
    open: query.has("open") && Number.isSafeInteger(open) ? open : null,
  };
}

export function toAddress({ q, filters, limit, open }: SearchWish): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  for (const facet of FACETS) if (filters[facet] !== undefined) query.set(facet, filters[facet]);
  if (limit > FIRST) query.set("all", "");
  if (open !== null) query.set("open", String(open));
  return query.size === 0 ? "/search" : `/search?${query}`;
}

/** The path that answers it. Without words and filters it is what was remembered last. */
export function toPath({ q, filters, limit }: SearchWish, nowMs: number): string {
  const { time, ...others } = filters;
  const query = new URLSearchParams({ ...others, limit: String(limit) });
  if (q.trim() !== "") query.set("q", q.trim());
  const days = Number(time);
  if (days > 0) query.set("since", new Date(nowMs - days * DAY_MS).toISOString());
  else if (q.trim() === "" && Object.keys(others).length === 0) query.set("since", new Date(0).toISOString());
  return `/api/search?${query}`;
}

/** As many as were asked for: there may be others. */
export function isPart(wish: SearchWish, hits: number): boolean {
  return hits >= wish.limit;
}

export function hasMore(wish: SearchWish, hits: number): boolean {
  return isPart(wish, hits) && wish.limit < MOST;
}

export function withMore(wish: SearchWish): SearchWish {
  return { ...wish, limit: MOST };
}
