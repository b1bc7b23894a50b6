import { readFileSync } from "node:fs";
import { writeAtomically } from "../files/atomic-file.ts";
import type { Home } from "../home.ts";
import {
  type ContextSwitches,
  changeSwitches,
  formatSwitches,
  parseSwitches,
  type Switch,
} from "../memory/inject/injection-rules.ts";

/** What the user has switched off, according to the file's current content. */
export function readSwitches(home: Pick<Home, "contextOff">): ContextSwitches {
  try {
    return parseSwitches(readFileSync(home.contextOff, "utf8"));
  } catch {
    return parseSwitches(undefined);
  }
}

export function writeSwitch(home: Pick<Home, "contextOff">, what: Switch, to: "on" | "off"): ContextSwitches {
  const next = changeSwitches(readSwitches(home), what, to);
  writeAtomically(home.contextOff, formatSwitches(next));
  return next;
}
