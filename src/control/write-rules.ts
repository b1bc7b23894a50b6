import { realpathSync } from "node:fs";
import { writeAtomically } from "../files/atomic-file.ts";
import { makeFolder } from "../files/make-folder.ts";
import { withWriteError } from "../files/write-error.ts";
import type { Home } from "../home.ts";

/** Writes the user's own rules atomically. */
export function writeRules(home: Home, text: string): void {
  let path = home.rules;
  try {
    // Write through a link, so that it stays a link.
    path = realpathSync(home.rules);
  } catch {
    // The first rule: the file does not exist yet.
  }
  withWriteError(path, () => {
    makeFolder(home.dir);
    writeAtomically(path, text);
  });
}
