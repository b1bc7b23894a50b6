import { posix } from "node:path";
import type { Locations } from "../../locations.ts";
import type { ShellCommand } from "../../shell/shell-reading.ts";
import { matchesKind } from "../check-words.ts";

const PLAIN_OPTION = /^(?:-[rPMNjy]|-o=(?:json|yaml|props|csv|tsv)|--raw-output)$/;
/** A path, and optionally a simple query: two programs of this name share no more syntax. */
const PLAIN_PATH =
  /^\.(?:[\w-]|\[(?:\d{1,9}|"[\w .-]{1,60}")?\]|\.(?=[\w[-]))*(?: ?\| ?(?:length|keys|keys\[\]))?$/;

function exists(path: string, { world }: Locations): boolean {
  const listing = world.entries?.(posix.dirname(path)) ?? "unknown";
  if (listing === "unknown") return true;
  return listing !== "no folder" && listing.some(({ name }) => name === posix.basename(path));
}

/** `yq '.services.web' x.yml`. */
export function isReadOnlyYq(command: ShellCommand, locations: Locations): boolean {
  const options = command.args.filter((word) => /^-./.test(word.text));
  const [path, ...files] = command.args.filter((word) => !/^-./.test(word.text));
  return (
    path !== undefined &&
    !path.isGlob &&
    // One of the programs treats such a name as a file, or as a file with expressions.
    !/\.yq$/.test(path.text) &&
    !command.cwds.some((cwd) => exists(posix.join(cwd, path.text), locations)) &&
    options.every((word) => matchesKind(word, PLAIN_OPTION, command, locations)) &&
    matchesKind(path, PLAIN_PATH, command, locations) &&
    files.every((word) => matchesKind(word, "read", command, locations))
  );
}
