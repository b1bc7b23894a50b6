import { isLooking, isOwn, withoutPrefix } from "./command-sense.ts";
import { splitCommand } from "./split-command.ts";

const BEGIN = "Succeeded: ";
const MOST = 3;
const MAX_TEXT = 160;

/** Of a line whose own end is hidden: its commands that are known to have ended well. */
export function succeededFacts(ended: readonly string[]): string[] {
  return [...new Set(ended)]
    .filter((text) => text.length <= MAX_TEXT && !/[\n#]|<</.test(text))
    .filter((text) => {
      const [command, ...more] = splitCommand(text);
      if (command === undefined || more.length > 0) return false;
      return isOwn(command) && !isLooking(withoutPrefix(command.words));
    })
    .slice(0, MOST)
    .map((text) => `${BEGIN}${text}`);
}

export function succeededIn(facts: readonly string[]): string[] {
  return facts.filter((fact) => fact.startsWith(BEGIN)).map((fact) => fact.slice(BEGIN.length));
}
