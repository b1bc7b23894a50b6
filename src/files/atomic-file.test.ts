import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeAtomically } from "./atomic-file.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-atomic-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("replaces the content, readable only by its owner", () => {
  const path = join(dir, "file");
  writeAtomically(path, "old");
  chmodSync(path, 0o644);
  writeAtomically(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(["file"]);
});

it("leaves no partial file behind when it fails", () => {
  mkdirSync(join(dir, "folder"));
  expect(() => writeAtomically(join(dir, "folder"), "text")).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(dir)).toEqual(["folder"]);
});
