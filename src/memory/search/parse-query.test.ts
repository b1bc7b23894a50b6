import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandText } from "./expand-text.ts";
import { parseSearchQuery } from "./parse-query.ts";

function createMatcher(...texts: readonly string[]) {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'porter unicode61')");
  for (const text of texts) db.prepare("INSERT INTO words (text) VALUES (?)").run(expandText(text));
  return (expression: string) =>
    db
      .prepare("SELECT rowid FROM words WHERE words MATCH ?")
      .all(expression)
      .map((row) => row["rowid"]);
}

describe("parseSearchQuery", () => {
  it("drops stop words, unless there are no others", () => {
    expect(parseSearchQuery("how to parse the config").terms).toEqual(['"parse"', '"config"']);
    expect(parseSearchQuery("to be or").terms).toEqual(['"to"', '"be"', '"or"']);
  });

  it("finds a name in any notation", () => {
    const match = createMatcher("calls getUserName twice", "get_user_name is gone", "user");
    for (const spelling of ["getUserName", "get_user_name", "get-user-name", "getusername"])
      expect(match(parseSearchQuery(spelling).terms[0]!)).toEqual([1, 2]);
  });

  it("finds a Korean word with another particle, and a single character as a prefix", () => {
    const match = createMatcher("데이터베이스를 연결했다", "키를 바꿨다");
    expect(match(parseSearchQuery("데이터베이스의").terms.join(" OR "))).toEqual([1]);
    expect(match(parseSearchQuery("키").terms.join(" OR "))).toEqual([2]);
  });

  it("treats the last word as a prefix, unless a space follows", () => {
    expect(parseSearchQuery("open authen").prefix).toBe('"authen" *');
    expect(parseSearchQuery("open authen ").prefix).toBeNull();
    expect(parseSearchQuery("open a").prefix).toBeNull();
  });

  it("reads quoted text as a phrase, and only quoted text as strict", () => {
    expect(parseSearchQuery('the "lock file" error')).toMatchObject({
      phrases: ['"lock file"'],
      isStrict: false,
    });
    expect(parseSearchQuery("“lock file”")).toMatchObject({ phrases: ['"lock file"'], isStrict: true });
    expect(parseSearchQuery('say "').phrases).toEqual([]);
  });

  it("reports the share of scripts without spaces", () => {
    expect(parseSearchQuery("database 연결").cjkShare).toBe(0.5);
    expect(parseSearchQuery("").cjkShare).toBe(0);
  });

  it("builds valid expressions from any input", () => {
    const match = createMatcher("something");
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        '"',
        "NEAR(",
        "a AND",
        "OR",
        "NOT",
        "*",
        "col:",
        "^a",
        "a + b",
        "''",
        "-",
        "{x y}:",
        "\0",
      ),
    );
    fc.assert(
      fc.property(fc.array(hostile), (parts) => {
        const { terms, prefix, phrases } = parseSearchQuery(parts.join(" "));
        for (const expression of [...terms, ...phrases, ...(prefix === null ? [] : [prefix])])
          match(expression);
        if (terms.length > 0) match(terms.join(" OR "));
      }),
    );
  });
});
