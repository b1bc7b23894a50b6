import type { Locations } from "../../locations.ts";
import { isKnown, type ShellCommand } from "../../shell/shell-reading.ts";
import { matchesKind } from "../check-words.ts";
import { COUNT, type ProgramSpec, WORD } from "../grammar.ts";
import { readWords } from "../read-words.ts";

const JQ: ProgramSpec = {
  short: "rcnsSeMCajRVh",
  long: "raw-output raw-output0 compact-output null-input slurp sort-keys exit-status monochrome-output color-output ascii-output join-output raw-input tab stream seq unbuffered version help args jsonargs",
  values: { indent: COUNT },
  operands: { kind: "text" },
};

/** Words of jq that reach the environment, other files or modules. */
const READS_OUTSIDE =
  /(?:^|[^.\w]|\.\.)(?:env|include|import|input_filename|modulemeta|get_search_list)(?!\w)|\$\s*(?:ENV|__)|#/;

/** `jq` with a filter that sees nothing but its input. */
export function isReadOnlyJq(command: ShellCommand, locations: Locations): boolean {
  const args = withoutNamedArguments(command);
  const words = args === null ? null : readWords(JQ, { ...command, args });
  if (words === null) return false;
  const [filter, ...files] = words.operands;
  if (filter === undefined)
    return words.flags.has("--version") || words.flags.has("-h") || words.flags.has("--help");
  if (!isKnown(filter) || filter.isGlob || READS_OUTSIDE.test(filter.text)) return false;
  return (
    words.values.every(([, word]) => matchesKind(word, COUNT, command, locations)) &&
    files.every((word) => matchesKind(word, "read", command, locations))
  );
}

/** `--arg name value` takes two words; null when one of them is unknown. */
function withoutNamedArguments(command: ShellCommand): ShellCommand["args"] | null {
  const words: ShellCommand["args"][number][] = [];
  for (let index = 0; index < command.args.length; index++) {
    const word = command.args[index]!;
    if (word.text !== "--arg" && word.text !== "--argjson") {
      words.push(word);
      continue;
    }
    const [name, value] = command.args.slice(index + 1, index + 3);
    if (name === undefined || value === undefined || !WORD.test(name.text)) return null;
    if (name.isSplit || value.isSplit || value.isGlob || value.isProcess) return null;
    index += 2;
  }
  return words;
}
