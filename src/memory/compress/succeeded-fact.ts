import { isInspection, isSubstantive, withoutPrefix } from "./classify-command.ts";
import { splitCommand } from "./split-command.ts";

const PREFIX = "Succeeded: ";
const MAX_FACTS = 3;
const MAX_COMMAND_CHARS = 160;

/** For a line whose own status is hidden: its commands that are known to have succeeded. */
export function succeededFacts(succeeded: readonly string[]): string[] {
  return [...new Set(succeeded)]
    .filter((text) => text.length <= MAX_COMMAND_CHARS && !/[\n#]|<</.test(text))
    .filter((text) => {
      const [command, ...more] = splitCommand(text);
      if (command === undefined || more.length > 0) return false;
      return isSubstantive(command) && !isInspection(withoutPrefix(command.words));
    })
    .slice(0, MAX_FACTS)
    .map((text) => `${PREFIX}${text}`);
}

export function succeededIn(facts: readonly string[]): string[] {
  return facts.filter((fact) => fact.startsWith(PREFIX)).map((fact) => fact.slice(PREFIX.length));
}
