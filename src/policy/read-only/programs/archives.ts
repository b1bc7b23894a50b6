import type { Places } from "../../places.ts";
import type { ShellCommand } from "../../shell/shell-reading.ts";
import { fitsKind } from "../check-words.ts";

/** A name with a colon may be another machine's file. */
const PLAIN_MEMBER = /^[^-:@*?[\]][^:]*$/;

/** `tar tf x`, `tar -tzvf x member`: only lists. */
export function isListingTar(command: ShellCommand, places: Places): boolean {
  const [first, file, ...members] = command.args;
  if (first === undefined || file === undefined || !/^-?[tvzjJ]+f$/.test(first.text)) return false;
  // What a glob finds may be another machine's file, too.
  if (
    !/t/.test(first.text) ||
    file.isGlob ||
    /[:@]|^-/.test(file.text) ||
    !fitsKind(file, "name", command, places)
  )
    return false;
  return members.every((word) => fitsKind(word, PLAIN_MEMBER, command, places));
}

/** `unzip -l x`: only lists. */
export function isListingUnzip(command: ShellCommand, places: Places): boolean {
  const [first, file, ...rest] = command.args;
  return (
    /^-(?:l|v|Z1?)$/.test(first?.text ?? "") &&
    file !== undefined &&
    !/^-/.test(file.text) &&
    rest.length === 0 &&
    fitsKind(file, "name", command, places)
  );
}
