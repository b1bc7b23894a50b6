import { posix } from "node:path";
import type { Places } from "../../places.ts";
import type { ShellCommand } from "../../shell/shell-reading.ts";
import { fitsKind } from "../check-words.ts";

const OPTIONS = /^(?:-[rPMNjy]|-o=(?:json|yaml|props|csv|tsv)|--raw-output)$/;
/** A path, and perhaps what is asked about it: two programs of this name share no more of a language. */
const PATH =
  /^\.(?:[\w-]|\[(?:\d{1,9}|"[\w .-]{1,60}")?\]|\.(?=[\w[-]))*(?: ?\| ?(?:length|keys|keys\[\]))?$/;

function isThere(path: string, { world }: Places): boolean {
  const listing = world.entries?.(posix.dirname(path)) ?? "unknown";
  if (listing === "unknown") return true;
  return listing !== "no folder" && listing.some(({ name }) => name === posix.basename(path));
}

/** `yq '.services.web' x.yml`. */
export function isReadOnlyYq(command: ShellCommand, places: Places): boolean {
  const options = command.args.filter((word) => /^-./.test(word.text));
  const [path, ...files] = command.args.filter((word) => !/^-./.test(word.text));
  return (
    path !== undefined &&
    !path.isGlob &&
    // One of the programs takes a file of this name for a file, or for one with expressions.
    !/\.yq$/.test(path.text) &&
    !command.cwds.some((cwd) => isThere(posix.join(cwd, path.text), places)) &&
    options.every((word) => fitsKind(word, OPTIONS, command, places)) &&
    fitsKind(path, PATH, command, places) &&
    files.every((word) => fitsKind(word, "read", command, places))
  );
}
