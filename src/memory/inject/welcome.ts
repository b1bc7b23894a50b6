import { rmSync } from "node:fs";
import type { AnswerFormat } from "../../agents/answer-format.ts";
import { writeAtomically } from "../../files/atomic-file.ts";
import type { Home } from "../../home.ts";
import { welcomeAnswer } from "./answers.ts";

/** Writes a message that the start hook of the first session prints. */
export function writeWelcome(home: Pick<Home, "welcome">, port: number, answers: AnswerFormat): void {
  writeAtomically(home.welcome, welcomeAnswer(answers, port));
}

export function removeWelcome(home: Pick<Home, "welcome">): void {
  rmSync(home.welcome, { force: true });
}
