import { type CommandFile, toCommandFile } from "./command-words.ts";
import { stdinText } from "./killed-processes.ts";
import { printedFileWords } from "./shell/find-commands.ts";
import { printedText } from "./shell/printed-text.ts";
import { literalWord, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";

/** They read names from stdin, whatever their options. */
const READS_NAMES = /^(?:cpio|pax)$/;
/** With these options, other programs do too. */
const NAMES_OPTION =
  /^(?:-T|--files-?from|--files0-from|-files0-from|--pathspec-from-file|--stdin-paths|--stdin|-@|--names-stdin|--from-file)(?:=|$)/;

/** Files whose names a command reads from stdin: `find … | tar cf x -T -`, `cpio -o <<< .env`. */
export function filesListedOnStdin(command: ShellCommand): readonly CommandFile[] {
  const { name, args, pipedFrom, substituted } = command;
  if (!READS_NAMES.test(name) && !args.some((word) => NAMES_OPTION.test(word.text))) return [];
  const texts = [stdinText(command), ...substituted.map((each) => printedText(each) ?? "")];
  const found = pipedFrom.length === 0 ? [] : (printedFileWords(pipedFrom) ?? []);
  return [
    ...texts.flatMap((text) => text.split(/[\n\0]+/)).flatMap((text) => readFilesNamedIn(text.trim())),
    ...found.map((word) => toCommandFile(word, "read")),
  ];
}

function readFilesNamedIn(text: string): readonly CommandFile[] {
  return text === "" ? [] : [toCommandFile({ ...literalWord(text), isGlob: /[*?[]/.test(text) }, "read")];
}

/** Options with which name-only programs print a file's contents, or write one. */
const READ_OPTIONS: Readonly<Record<string, RegExp>> = {
  date: /^(?:-[a-zA-Z]*f|--file)$/,
  file: /^(?:-[a-zA-Z]*f|--files-from)$/,
  wc: /^--files0-from$/,
  du: /^(?:--files0-from|-X|--exclude-from)$/,
  find: /^-files0-from$/,
  history: /^-[rn]+$/,
  tree: /^(?:--fromfile|--fromtabfile|--infofile|--gitfile)$/,
};
const WRITE_OPTIONS: Readonly<Record<string, RegExp>> = { history: /^-[aw]+$/, tree: /^(?:-o|--output)$/ };
/** The same with the value attached, for all programs. */
const ATTACHED_READ_OPTION =
  /^--?(?:file|files-from|files0-from|exclude-from|fromfile|infofile|gitfile)=(.+)$/s;

/** The files opened by a program that otherwise only inspects names. */
export function filesOpenedByOption({ name, args }: ShellCommand): readonly CommandFile[] {
  const readOption = Object.hasOwn(READ_OPTIONS, name) ? READ_OPTIONS[name] : undefined;
  const writeOption = Object.hasOwn(WRITE_OPTIONS, name) ? WRITE_OPTIONS[name] : undefined;
  return args.flatMap((word, at): readonly CommandFile[] => {
    const before = args[at - 1]?.text ?? "";
    if (writeOption?.test(before)) return [toCommandFile(word, "write")];
    if (readOption?.test(before)) return [toCommandFile(word, "read")];
    const value = readOption === undefined ? undefined : attachedValue(name, word);
    return value === undefined ? [] : [{ ...toCommandFile(word, "read"), text: value }];
  });
}

function attachedValue(name: string, { text }: ShellWord): string | undefined {
  return (
    ATTACHED_READ_OPTION.exec(text)?.[1] ??
    (/^(?:date|file)$/.test(name) ? /^-f(.+)$/s.exec(text)?.[1] : undefined)
  );
}
