import { type CommandFile, toCommandFile } from "./command-words.ts";
import { stdinText } from "./killed-processes.ts";
import { literalWord, type ShellCommand } from "./shell/shell-reading.ts";

/** `w file`, at the end of a sed command; without a space where the name starts with a dot. */
export function filesWrittenBySed(command: ShellCommand): readonly CommandFile[] {
  return [...command.args, literalWord(stdinText(command))].flatMap((word) =>
    [
      ...word.text.matchAll(
        /(?:(?<![a-zA-Z\d])[gpiI\d]*|(?<![a-zA-Z])[gpiI\d]{0,8})[wW](?:\s+([^\s;}]+)|(\.[a-z][^\s;}]*))/g,
      ),
    ].map(([, text = "", dotted]) => ({ ...toCommandFile(word, "write" as const), text: dotted ?? text })),
  );
}

/** `r file`, `1R file`. */
export function filesReadBySed({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word) =>
    [...word.text.matchAll(/(?:^|[;{}!$\d/,\s])[rR]\s*([^\s;}]+)/g)].map(([, text = ""]) => ({
      ...toCommandFile(word, "read" as const),
      text,
    })),
  );
}

/** `awk -v f=x '{ print > f }'`: a variable may name what the program reads or writes. */
export function filesAssignedToAwk({ args }: ShellCommand): readonly CommandFile[] {
  const writes = args.some((word) => />\s*[a-z(]/i.test(word.text));
  const reads = args.some((word) => /<\s*[a-z(]/i.test(word.text));
  if (!writes && !reads) return [];
  return args.flatMap((word) => {
    const value = /^(?:-v|--assign=)?[A-Za-z_]\w*=(.+)$/s.exec(word.text)?.[1];
    return value === undefined ? [] : [{ ...toCommandFile(word, writes ? "either" : "read"), text: value }];
  });
}
