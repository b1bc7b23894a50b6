import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandText, FACET_PREFIX, splitName } from "./expand-text.ts";

describe("expandText", () => {
  it.each([
    ["getUserName", "getUserName get User Name"],
    ["parse_config_file", "parseconfigfile parse config file"],
    ["max-old-space", "maxoldspace max old space"],
    ["parseHTTPResponse2", "parseHTTPResponse2 parse HTTP Response 2"],
    ["sha256", "sha256 sha 256"],
    ["plain words", "plain words"],
    ["database.test.ts", "databasetestts database test ts"],
    ["userStore.findById", "userStorefindById userStore user Store findById find By Id"],
    ["src/store/sqlite", "src store sqlite"],
    ["1.2.3", "123 1 2 3"],
    ["SQLITE_BUSY: locked", "SQLITEBUSY SQLITE BUSY locked"],
  ])("expands %s to %s", (text, expanded) => {
    expect(expandText(text)).toBe(expanded);
  });

  it.each([
    ["데이터베이스", "데이 이터 터베 베이 이스"],
    ["키", "키"],
    ["API키를 바꿨다", "API 키를 바꿨 꿨다"],
    ["エラー処理", "エラ ラー ー処 処理"],
    ["連接失敗", "連接 接失 失敗"],
  ])("splits %s into pairs: %s", (text, expanded) => {
    expect(expandText(text)).toBe(expanded);
  });

  it("normalises decomposed Hangul", () => {
    expect(expandText("한글".normalize("NFD"))).toBe("한글");
  });

  it("keeps no facet prefix", () => {
    expect(expandText(`${FACET_PREFIX}pr1`)).toBe("pr1 pr 1");
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !expandText(text).includes(FACET_PREFIX)));
  });

  it("splitName keeps every letter and digit of a name", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_]{1,30}$/), (name) => {
        expect(splitName(name).join("")).toBe(name.replaceAll("_", ""));
      }),
    );
  });
});
