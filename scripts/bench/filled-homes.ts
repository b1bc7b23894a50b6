// Homes whose memory holds a given number of coding items, indexed and embedded. Filled once per run, or once
// and for all in the folder that `--history` names.

import { execFileSync } from "node:child_process";
import { constants, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BenchHome, createBenchHome } from "./bench-home.ts";

export type FilledHomes = (size: number) => BenchHome;

const filler = join(import.meta.dirname, "..", "bench-search.ts");

export function createFilledHomes(keptIn: string | undefined): FilledHomes {
  let root = keptIn;
  return (size) => {
    // The home is removed when the bench ends, even after a failure.
    root ??= createBenchHome().root;
    const folder = join(root, String(size));
    if (!existsSync(join(folder, "filled"))) fill(folder, size);
    const place = createBenchHome();
    const [db, searchDb] = [join(folder, "hookline.db"), join(folder, "search.db")];
    copyFileSync(db, place.home.db, constants.COPYFILE_FICLONE);
    copyFileSync(searchDb, place.home.searchDb, constants.COPYFILE_FICLONE);
    return place;
  };
}

function fill(folder: string, size: number): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const args = [filler, "--phase", "fill", "--folder", folder, "--size", String(size)];
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
}
