import { type CommandFile, file } from "./command-words.ts";
import { fedText } from "./ending-processes.ts";
import { literalWord, type ShellCommand } from "./shell/shell-reading.ts";

/** `w file`, at the end of a command of sed's; without a blank where the name begins with a dot. */
export function writtenBySed(command: ShellCommand): readonly CommandFile[] {
  return [...command.args, literalWord(fedText(command))].flatMap((word) =>
    [...word.text.matchAll(/(?<![a-zA-Z])[gpiI\d]{0,8}[wW](?:\s+([^\s;}]+)|(\.[a-z][^\s;}]*))/g)].map(
      ([, text = "", dotted]) => ({ ...file(word, "write" as const), text: dotted ?? text }),
    ),
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

/** `awk -v f=x '{ print > f }'`: a variable may name what the program reads or writes. */
export function assignedToAwk({ args }: ShellCommand): readonly CommandFile[] {
  const writes = args.some((word) => />\s*[a-z(]/i.test(word.text));
  const reads = args.some((word) => /<\s*[a-z(]/i.test(word.text));
  if (!writes && !reads) return [];
  return args.flatMap((word) => {
    const value = /^(?:-v|--assign=)?[A-Za-z_]\w*=(.+)$/s.exec(word.text)?.[1];
    return value === undefined ? [] : [{ ...file(word, writes ? "either" : "read"), text: value }];
  });
}
