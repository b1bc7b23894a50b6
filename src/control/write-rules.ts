import { realpathSync } from "node:fs";
import { writeAtomically } from "../files/atomic-file.ts";
import { makeFolder } from "../files/make-folder.ts";
import type { Home } from "../home.ts";

/** Writes a person's own rules, at once or not at all. */
export function writeRules(home: Home, text: string): void {
  makeFolder(home.dir);
  let path = home.rules;
  try {
    // A link stays one: what it leads to is written.
    path = realpathSync(home.rules);
  } catch {
    // The first rule: there is no file yet.
  }
  writeAtomically(path, text);
}
