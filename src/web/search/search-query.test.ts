import { describe, expect, it } from "vitest";
import { fromQuery, hasMore, isLimitReached, toApiPath, toHref, withMore } from "./search-query.ts";

const NOW = Date.UTC(2026, 2, 15, 12);
const parse = (query: string) => fromQuery(new URLSearchParams(query));

describe("a search in the URL", () => {
  it("survives a round trip, in any language", () => {
    const params = parse("q=결제 재시도&kind=prompt&file=/home/dev/a b.ts&time=7&open=42");
    expect(fromQuery(new URL(toHref(params), "http://x").searchParams)).toEqual(params);
    expect(params).toMatchObject({ q: "결제 재시도", open: 42, filters: { kind: "prompt", time: "7" } });
  });

  it("leaves out empty parameters", () => {
    expect(toHref(parse(""))).toBe("/search");
    expect(parse("open=nonsense").open).toBeNull();
    expect(parse("kind=").filters).toEqual({});
  });

  it("sends the time as an instant and never sends the open item", () => {
    const query = new URL(toApiPath(parse("q= retry &time=7&open=3"), NOW), "http://x").searchParams;
    expect(Object.fromEntries(query)).toEqual({ q: "retry", limit: "40", since: "2026-03-08T12:00:00.000Z" });
  });

  it("requests the latest items when there is no query or filter", () => {
    expect(new URL(toApiPath(parse(""), NOW), "http://x").searchParams.get("since")).toBe(
      "1970-01-01T00:00:00.000Z",
    );
  });

  it("is limited when as many hits arrive as requested", () => {
    const params = parse("q=a");
    expect([
      isLimitReached(params, 39),
      isLimitReached(params, 40),
      isLimitReached(withMore(params), 100),
    ]).toEqual([false, true, true]);
  });

  it("can load more once", () => {
    const params = parse("q=a");
    expect([hasMore(params, 39), hasMore(params, 40), hasMore(withMore(params), 100)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
