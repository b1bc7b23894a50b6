// Homes whose memory holds so many items of coding work, indexed and embedded. Filled once a run, or once for ever in
// the folder that `--history` names.

import { execFileSync } from "node:child_process";
import { constants, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePlace, type Place } from "./place.ts";

export type FilledPlaces = (size: number) => Place;

const filler = join(import.meta.dirname, "..", "bench-search.ts");

export function filledPlaces(keptIn: string | undefined): FilledPlaces {
  let root = keptIn;
  return (size) => {
    // A place is removed when the bench ends, however it ends.
    root ??= makePlace().root;
    const folder = join(root, String(size));
    if (!existsSync(join(folder, "filled"))) fill(folder, size);
    const place = makePlace();
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
