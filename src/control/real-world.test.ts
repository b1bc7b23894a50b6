import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realWorld } from "./real-world.ts";

let root: string;
const { realPath } = realWorld();

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-world-")));
  mkdirSync(join(root, "real/inner"), { recursive: true });
  symlinkSync(join(root, "real"), join(root, "link"));
  symlinkSync("real/not-yet", join(root, "dangling"));
  symlinkSync("loop-b", join(root, "loop-a"));
  symlinkSync("loop-a", join(root, "loop-b"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the real path", () => {
  it("resolves links, also above missing parts", () => {
    expect(realPath(join(root, "link/inner"))).toBe(join(root, "real/inner"));
    expect(realPath(join(root, "link/new/file.txt"))).toBe(join(root, "real/new/file.txt"));
  });

  it("of a dangling link is where a write would go", () => {
    expect(realPath(join(root, "dangling"))).toBe(join(root, "real/not-yet"));
    expect(realPath(join(root, "dangling/x"))).toBe(join(root, "real/not-yet/x"));
  });

  it("terminates for circular links and for the root", () => {
    expect(realPath(join(root, "loop-a/x"))).toMatch(/loop-[ab]\/x$/);
    expect(realPath("/")).toBe("/");
    expect(realPath("/nowhere-at-all/x")).toBe("/nowhere-at-all/x");
  });

  it("uses the home from the environment", () => {
    expect(realWorld({ HOME: "/home/me" }).home).toBe("/home/me");
  });
});

describe("listing a folder", () => {
  it("returns entries with their kind, or that it is not a folder", () => {
    const { entries } = realWorld();
    const listed = entries!(root);
    expect(listed).toContainEqual({ name: "real", kind: "folder" });
    expect(listed).toContainEqual({ name: "link", kind: "link" });
    expect(entries!(join(root, "nowhere"))).toBe("no folder");
    expect(entries!(join(root, "loop-a"))).toBe("unknown");
  });
});
