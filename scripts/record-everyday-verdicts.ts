/** Records today's policy verdicts on the everyday commands, the baseline for later changes. */
import { writeFileSync } from "node:fs";
import { EVERYDAY_COMMANDS } from "../test/policy/everyday-commands.ts";
import { everydayVerdicts } from "../test/policy/everyday-verdicts.ts";

const file = new URL("../test/policy/everyday-verdicts.json", import.meta.url);
const verdicts = everydayVerdicts(Object.values(EVERYDAY_COMMANDS).flat());
const lines = Object.entries(verdicts).map(
  ([command, each]) => `  ${JSON.stringify(command)}: ${JSON.stringify(each)}`,
);
writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
