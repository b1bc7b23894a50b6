import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-folder-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("creates missing folders for the owner only and returns the outermost one", () => {
  expect(makeFolder(join(root, "a/b/c"))).toBe(join(root, "a"));
  expect(statSync(join(root, "a/b/c")).mode & 0o777).toBe(0o700);
  expect(makeFolder(join(root, "a/b/c"))).toBeUndefined();
  symlinkSync(join(root, "a"), join(root, "link"));
  expect(makeFolder(join(root, "link/d"))).toBe(join(root, "link/d"));
});

it("throws when the folder cannot be created, and leaves existing files alone", () => {
  writeFileSync(join(root, "file"), "");
  symlinkSync(join(root, "nowhere"), join(root, "dangling"));
  for (const path of ["file", "file/a", "dangling", "dangling/a"])
    expect(() => makeFolder(join(root, path))).toThrow(/EEXIST|ENOTDIR/);
  expect(existsSync(join(root, "nowhere"))).toBe(false);
});

it.skipIf(!existsSync("/proc/self"))("throws in /proc, where Node's recursive mkdir never returns", () => {
  expect(() => makeFolder("/proc/hookline/spool")).toThrow("/proc/hookline");
});
