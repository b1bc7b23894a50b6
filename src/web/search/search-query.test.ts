import { describe, expect, it } from "vitest";
import { fromQuery, hasMore, isLimitReached, toApiPath, toHref, withMore } from "./search-query.ts";

const NOW = Date.UTC(2026, 2, 15, 12);
const parse = (query: string) => fromQuery(new URLSearchParams(query));

describe("a search in the address", () => {
  it("is read back as it was written, in any language", () => {
    const params = parse("q=결제 재시도&kind=prompt&file=/home/dev/a b.ts&time=7&open=42");
    expect(fromQuery(new URL(toHref(params), "http://x").searchParams)).toEqual(params);
    expect(params).toMatchObject({ q: "결제 재시도", open: 42, filters: { kind: "prompt", time: "7" } });
  });

  it("leaves out what is not chosen", () => {
    expect(toHref(parse(""))).toBe("/search");
    expect(parse("open=nonsense").open).toBeNull();
    expect(parse("kind=").filters).toEqual({});
  });

  it("asks for the time as an instant and never for the open item", () => {
    const query = new URL(toApiPath(parse("q= retry &time=7&open=3"), NOW), "http://x").searchParams;
    expect(Object.fromEntries(query)).toEqual({ q: "retry", limit: "40", since: "2026-03-08T12:00:00.000Z" });
  });

  it("asks for the newest when nothing is looked for, since a search needs something to go by", () => {
    expect(new URL(toApiPath(parse(""), NOW), "http://x").searchParams.get("since")).toBe(
      "1970-01-01T00:00:00.000Z",
    );
  });

  it("is all there is only when less came than was asked for", () => {
    const params = parse("q=a");
    expect([
      isLimitReached(params, 39),
      isLimitReached(params, 40),
      isLimitReached(withMore(params), 100),
    ]).toEqual([false, true, true]);
  });

  it("can be asked for more once", () => {
    const params = parse("q=a");
    expect([hasMore(params, 39), hasMore(params, 40), hasMore(withMore(params), 100)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
