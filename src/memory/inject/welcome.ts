import { rmSync } from "node:fs";
import { writeAtomically } from "../../daemon-files.ts";
import type { Home } from "../../home.ts";
import { welcomeAnswer } from "./answers.ts";

/** Puts a message where the start hook of the first session finds it. */
export function writeWelcome(home: Pick<Home, "welcome">, port: number): void {
  writeAtomically(home.welcome, welcomeAnswer(port));
}

export function removeWelcome(home: Pick<Home, "welcome">): void {
  rmSync(home.welcome, { force: true });
}
