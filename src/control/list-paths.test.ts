import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listFolders, listInside } from "./list-paths.ts";

const dir = mkdtempSync(join(tmpdir(), "hookline-paths-"));
const home = join(dir, "home");
for (const folder of ["code/api", "code/App", "code/.cache", "secret"])
  mkdirSync(join(home, folder), { recursive: true });
writeFileSync(join(home, "code/app.ts"), "");
writeFileSync(join(home, "code/.env"), "");
writeFileSync(join(home, "secret/key"), "");
symlinkSync(join(home, "secret"), join(home, "code/link"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("the folders that complete a path", () => {
  const inCode = (...names: string[]): string[] => names.map((name) => join(home, "code", name));

  it("are those that begin like it, whatever the case, and no files, links or hidden ones", async () => {
    expect(await listFolders(join(home, "code/"), home)).toEqual(inCode("App/", "api/"));
    expect(await listFolders(join(home, "code/ap"), home)).toEqual(inCode("App/", "api/"));
    expect(await listFolders(join(home, "code/apx"), home)).toEqual([]);
  });

  it("are hidden ones where a dot was typed", async () => {
    expect(await listFolders(`${home}/code/.`, home)).toEqual(inCode(".cache/"));
  });

  it("start at the home for a tilde", async () => {
    expect(await listFolders("~", home)).toEqual([join(home, "code/"), join(home, "secret/")]);
    expect(await listFolders("~/c", home)).toEqual([join(home, "code/")]);
  });

  it("are none for a relative path, and none where nothing is or a file is", async () => {
    for (const typed of ["", "code", "./", "../", `${home}/none/`, `${home}/code/app.ts/`, "/\0/"])
      expect(await listFolders(typed, home), typed).toEqual([]);
  });
});

describe("the paths in a folder", () => {
  const root = join(home, "code");

  it("are files and folders, folders first", async () => {
    expect(await listInside(root, "")).toEqual(["App/", "api/", "app.ts"]);
    expect(await listInside(root, ".e")).toEqual([".env"]);
    writeFileSync(join(root, "api/x.ts"), "");
    expect(await listInside(root, "api/")).toEqual(["api/x.ts"]);
  });

  it("never lead out of it", async () => {
    for (const typed of ["../", "../secret/", "api/../../secret/", "link/", "//etc/", "none/", "\0/"])
      expect(await listInside(root, typed), typed).toEqual([]);
  });
});
