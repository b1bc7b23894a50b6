import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DigestName, writeDigests } from "./write-digests.ts";

let context: string;
beforeEach(() => {
  context = join(realpathSync(mkdtempSync(join(tmpdir(), "hookline-digests-"))), "context");
});
afterEach(() => rmSync(join(context, ".."), { recursive: true, force: true }));

const write = (project: string, files: Partial<Record<DigestName, string>>) =>
  writeDigests({ context }, project, new Map(Object.entries(files) as [DigestName, string][]));
const names = (project: string) => readdirSync(join(context, project)).sort();

it("writes changed files only, readable by the owner only", async () => {
  const files = { startup: "{}", "resume-5e55-1": "", compact: "c" };
  expect(await write("/srv/shop", files)).toEqual({ written: 3, removed: 0, refused: null });
  expect(names("/srv/shop")).toEqual(["compact.json", "resume-5e55-1.json", "startup.json"]);
  expect(readFileSync(join(context, "srv/shop/startup.json"), "utf8")).toBe("{}");
  expect(statSync(join(context, "srv/shop/startup.json")).mode & 0o777).toBe(0o600);
  for (const folder of ["", "srv", "srv/shop"])
    expect(statSync(join(context, folder)).mode & 0o777).toBe(0o700);
  const before = statSync(join(context, "srv/shop/startup.json")).ino;
  expect(await write("/srv/shop", { ...files, compact: "d" })).toMatchObject({ written: 1, removed: 0 });
  expect(statSync(join(context, "srv/shop/startup.json")).ino).toBe(before);
});

it("removes obsolete files and empty folders, but not those of other projects", async () => {
  await write("/srv/shop", { startup: "{}", "compact-1": "x" });
  await write("/srv/shop/part", { startup: "{}" });
  writeFileSync(join(context, "srv/shop/startup.json.partial"), "half");
  expect(await write("/srv/shop", { startup: "{}" })).toMatchObject({ written: 0, removed: 2 });
  expect(await write("/srv/shop", {})).toMatchObject({ removed: 1 });
  expect(names("/srv/shop")).toEqual(["part"]);
  await write("/srv/shop/part", {});
  expect(existsSync(join(context, "srv"))).toBe(false);
  expect(await write("/srv/never", {})).toEqual({ written: 0, removed: 0, refused: null });
});

it("keeps a folder that is named like a digest", async () => {
  await write("/srv/startup.json", { startup: "inner" });
  expect(await write("/srv", { resume: "{}" })).toMatchObject({ written: 1, refused: null });
  expect(await write("/srv", { startup: "{}" })).toMatchObject({ refused: expect.stringContaining("/srv") });
  expect(readFileSync(join(context, "srv/startup.json/startup.json"), "utf8")).toBe("inner");
});

it("works for the root folder and for any folder name", async () => {
  for (const project of ["/", `/a 'b" $c *\n/é`, "/...", "/-n"]) {
    expect(await write(project, { startup: project })).toMatchObject({ written: 1, refused: null });
    expect(readFileSync(join(context, project, "startup.json"), "utf8")).toBe(project);
  }
});

it("refuses paths that leave its folder or are too long", async () => {
  mkdirSync(context, { recursive: true });
  const invalidPaths = [
    "",
    "relative",
    "/a/../../../x",
    "/a/./b",
    "/a//b",
    "/a/",
    "/a\0b",
    `/${"x".repeat(300)}`,
    `/${"long/".repeat(900)}x`,
  ];
  for (const project of invalidPaths)
    expect((await write(project, { startup: "{}" })).refused, project).not.toBeNull();
  for (const name of ["../startup", "startup-../x", "other", "startup-"])
    expect((await write("/srv", { [name]: "{}" })).refused, name).not.toBeNull();
  expect(readdirSync(join(context, ".."))).toEqual(["context"]);
});
