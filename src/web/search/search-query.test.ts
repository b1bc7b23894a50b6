import { describe, expect, it } from "vitest";
import { fromQuery, hasMore, isLimitReached, toApiPath, toHref, withMore } from "./search-query.ts";

const NOW = Date.UTC(2026, 2, 15, 12);
const read = (query: string) => fromQuery(new URLSearchParams(query));

describe("a search in the address", () => {
  it("is read back as it was written, in any language", () => {
    const wish = read("q=결제 재시도&kind=prompt&file=/home/dev/a b.ts&time=7&open=42");
    expect(fromQuery(new URL(toHref(wish), "http://x").searchParams)).toEqual(wish);
    expect(wish).toMatchObject({ q: "결제 재시도", open: 42, filters: { kind: "prompt", time: "7" } });
  });

  it("leaves out what is not chosen", () => {
    expect(toHref(read(""))).toBe("/search");
    expect(read("open=nonsense").open).toBeNull();
    expect(read("kind=").filters).toEqual({});
  });

  it("asks for the time as an instant and never for the open item", () => {
    const asked = new URL(toApiPath(read("q= retry &time=7&open=3"), NOW), "http://x").searchParams;
    expect(Object.fromEntries(asked)).toEqual({ q: "retry", limit: "40", since: "2026-03-08T12:00:00.000Z" });
  });

  it("asks for the newest when nothing is looked for, since a search needs something to go by", () => {
    expect(new URL(toApiPath(read(""), NOW), "http://x").searchParams.get("since")).toBe(
      "1970-01-01T00:00:00.000Z",
    );
  });

  it("is all there is only when less came than was asked for", () => {
    const wish = read("q=a");
    expect([isLimitReached(wish, 39), isLimitReached(wish, 40), isLimitReached(withMore(wish), 100)]).toEqual(
      [false, true, true],
    );
  });

  it("can be asked for more once", () => {
    const wish = read("q=a");
    expect([hasMore(wish, 39), hasMore(wish, 40), hasMore(withMore(wish), 100)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
