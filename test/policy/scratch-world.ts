import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { listFolder, readSmallFile } from "../../src/control/real-world.ts";
import type { World } from "../../src/policy/request.ts";

export interface ScratchWorld {
  readonly world: World;
  readonly ws: string;
  readonly out: string;
  /** Fills in `{ws}`, `{home}` and `{out}` in every text of a value. */
  fill<T>(value: T): T;
  close(): void;
}

/** A home with a workspace in it, and symlinks that lead out of it and to its secrets. */
export function openScratchWorld(): ScratchWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "hookline-policy-")));
  const home = join(base, "home", "u");
  const ws = join(home, "project");
  const out = join(base, "elsewhere");
  for (const folder of [join(ws, "src"), join(ws, "dist"), join(ws, ".git"), join(home, ".ssh"), out])
    mkdirSync(folder, { recursive: true });
  for (const file of ["README.md", ".env", "src/a.ts"]) writeFileSync(join(ws, file), "x\n");
  writeFileSync(join(out, "x"), "x\n");
  symlinkSync(out, join(ws, "link-out"));
  symlinkSync(home, join(ws, "link-home"));
  symlinkSync(join(out, "x"), join(ws, "link-file"));
  symlinkSync(".env", join(ws, "settings.txt"));
  symlinkSync("src", join(ws, "inner"));
  return {
    world: { home, realPath, entries: listFolder, bytes: readSmallFile },
    ws,
    out,
    fill: (value) =>
      JSON.parse(
        JSON.stringify(value).replaceAll("{ws}", ws).replaceAll("{home}", home).replaceAll("{out}", out),
      ),
    close: () => rmSync(base, { recursive: true, force: true }),
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
