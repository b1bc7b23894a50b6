import { type CommandFile, file } from "./command-words.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

/** `w file`, at the end of a command of sed's. */
export function writtenBySed({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word) =>
    [...word.text.matchAll(/(?<![a-zA-Z])[gpiI\d]{0,8}[wW]\s+([^\s;}]+)/g)].map(([, text = ""]) => ({
      ...file(word, "write" as const),
      text,
    })),
  );
}

/** `r file`, `1R file`. */
export function readBySed({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word) =>
    [...word.text.matchAll(/(?:^|[;{}!$\d/,\s])[rR]\s*([^\s;}]+)/g)].map(([, text = ""]) => ({
      ...file(word, "read" as const),
      text,
    })),
  );
}
