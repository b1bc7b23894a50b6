import { readFileSync } from "node:fs";
import { writeAtomically } from "../files/atomic-file.ts";
import type { Home } from "../home.ts";
import {
  type ContextSwitches,
  changeSwitches,
  parseSwitches,
  printSwitches,
  type Switch,
} from "../memory/inject/rules.ts";

/** What a person switched off, as the file says now. */
export function readSwitches(home: Pick<Home, "contextOff">): ContextSwitches {
  try {
    return parseSwitches(readFileSync(home.contextOff, "utf8"));
  } catch {
    return parseSwitches(undefined);
  }
}

export function noteSwitch(home: Pick<Home, "contextOff">, what: Switch, to: "on" | "off"): ContextSwitches {
  const next = changeSwitches(readSwitches(home), what, to);
  writeAtomically(home.contextOff, printSwitches(next));
  return next;
}
