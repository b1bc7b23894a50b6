import { NO_OPTIONS, type ShellOptions, withOptions } from "./shell-options.ts";
import { withoutWrappers } from "./simple-command.ts";

interface InnerScript {
  readonly text: string;
  readonly options: ShellOptions;
  /** Whether an `exit` ends only the inner script. */
  readonly isOwnShell: boolean;
}

/** Returns the script that `sh -c '…'` or `eval` runs; null for other commands. */
export function innerScript(all: readonly string[], options: ShellOptions): InnerScript | null {
  const words = withoutWrappers(all);
  const [name = "", ...args] = words;
  if (name === "eval") return { text: args.join(" "), options, isOwnShell: false };
  if (!/^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(name)) return null;
  const flagIndex = args.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  if (flagIndex < 0) return null;
  const flags = ["set", ...args.slice(0, flagIndex), args[flagIndex]!.replace("c", "")];
  const shellOptions = withOptions(NO_OPTIONS, flags);
  // In both `bash -euo pipefail -c` and `bash -c -o pipefail`, the script follows the options.
  const rest = args.slice(flagIndex + 1);
  const script = /o$/.test(args[flagIndex]!) ? rest[1] : rest[0];
  const finalOptions = /o$/.test(args[flagIndex]!)
    ? withOptions(shellOptions, ["set", "-o", rest[0] ?? ""])
    : shellOptions;
  return script === undefined ? null : { text: script, options: finalOptions, isOwnShell: true };
}
