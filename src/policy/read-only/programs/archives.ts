import type { Locations } from "../../locations.ts";
import type { ShellCommand } from "../../shell/shell-reading.ts";
import { matchesKind } from "../check-words.ts";

/** A name with a colon may be a file on another machine. */
const PLAIN_MEMBER = /^[^-:@*?[\]][^:]*$/;

/** `tar tf x`, `tar -tzvf x member`: only lists. */
export function isListingTar(command: ShellCommand, locations: Locations): boolean {
  const [first, file, ...members] = command.args;
  if (first === undefined || file === undefined || !/^-?[tvzjJ]+f$/.test(first.text)) return false;
  // A glob may also match a name that means a file on another machine.
  if (
    !/t/.test(first.text) ||
    file.isGlob ||
    /[:@]|^-/.test(file.text) ||
    !matchesKind(file, "name", command, locations)
  )
    return false;
  return members.every((word) => matchesKind(word, PLAIN_MEMBER, command, locations));
}

/** `unzip -l x`: only lists. */
export function isListingUnzip(command: ShellCommand, locations: Locations): boolean {
  const [first, file, ...rest] = command.args;
  return (
    /^-(?:l|v|Z1?)$/.test(first?.text ?? "") &&
    file !== undefined &&
    !/^-/.test(file.text) &&
    rest.length === 0 &&
    matchesKind(file, "name", command, locations)
  );
}
