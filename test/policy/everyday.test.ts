import { describe, expect, it } from "vitest";
import { EVERYDAY_COMMANDS } from "./everyday-commands.ts";
import baseline from "./everyday-verdicts.json" with { type: "json" };
import { EVERYDAY_MODES, everydayVerdicts } from "./everyday-verdicts.ts";

/** How many percentage points more may be asked than in the baseline. */
const MAX_MORE_ASKED = 5;

const commands = Object.values(EVERYDAY_COMMANDS).flat();
const today = everydayVerdicts(commands);

function verdictIn(mode: (typeof EVERYDAY_MODES)[number], verdicts: string): string {
  return verdicts.split(" ")[EVERYDAY_MODES.indexOf(mode)]!;
}

/** Percent of the commands that are asked about in `default`. */
function askedShare(verdicts: Readonly<Record<string, string>>): number {
  const asked = Object.values(verdicts).filter((each) => verdictIn("default", each) === "ask");
  return (100 * asked.length) / Object.keys(verdicts).length;
}

describe("everyday commands", () => {
  it("are more than two hundred and sixty, each with a verdict in the baseline", () => {
    expect(commands.length).toBeGreaterThan(260);
    expect(new Set(commands).size).toBe(commands.length);
    expect(Object.keys(baseline).sort()).toEqual([...commands].sort());
  });

  it.each(["default", "acceptEdits", "bypassPermissions"] as const)("are never denied in %s", (mode) => {
    expect(commands.filter((command) => verdictIn(mode, today[command]!) === "deny")).toEqual([]);
  });

  it("are allowed in bypassPermissions wherever the baseline allows them", () => {
    const stopped = Object.entries(baseline).filter(
      ([command, before]) =>
        verdictIn("bypassPermissions", before) === "allow" &&
        verdictIn("bypassPermissions", today[command]!) !== "allow",
    );
    expect(stopped).toEqual([]);
  });

  it("are asked about in default at most five points more often than in the baseline", () => {
    expect(askedShare(baseline)).toBeGreaterThan(30);
    expect(askedShare(today)).toBeLessThanOrEqual(askedShare(baseline) + MAX_MORE_ASKED);
  });
});
