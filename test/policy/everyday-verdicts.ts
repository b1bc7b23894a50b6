import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { openScratchWorld } from "./scratch-world.ts";

export const EVERYDAY_MODES = ["default", "acceptEdits", "plan", "bypassPermissions"] as const;

/** The verdict on each command in each of the modes, joined by blanks. */
export function everydayVerdicts(commands: readonly string[]): Readonly<Record<string, string>> {
  const scratch = openScratchWorld();
  try {
    return Object.fromEntries(
      commands.map((command) => {
        const verdicts = EVERYDAY_MODES.map((mode) => {
          const request = { toolName: "Bash", toolInput: { command }, mode, cwd: scratch.ws };
          return decide(EMPTY_POLICY, request, scratch.world).verdict;
        });
        return [command, verdicts.join(" ")];
      }),
    );
  } finally {
    scratch.close();
  }
}
