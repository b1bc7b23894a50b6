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
  const at = args.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  if (at < 0) return null;
  const flags = ["set", ...args.slice(0, at), args[at]!.replace("c", "")];
  const own = withOptions(NO_OPTIONS, flags);
  // In both `bash -euo pipefail -c` and `bash -c -o pipefail`, the script follows the options.
  const rest = args.slice(at + 1);
  const script = /o$/.test(args[at]!) ? rest[1] : rest[0];
  const last = /o$/.test(args[at]!) ? withOptions(own, ["set", "-o", rest[0] ?? ""]) : own;
  return script === undefined ? null : { text: script, options: last, isOwnShell: true };
}
