import { type CommandFile, file } from "./command-words.ts";
import { fedText } from "./ending-processes.ts";
import { wordsPrinted } from "./shell/find-commands.ts";
import { printedText } from "./shell/printed-text.ts";
import { literalWord, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";

/** They take names from their input, whatever their options. */
const READS_NAMES = /^(?:cpio|pax)$/;
/** With these, other programs do. */
const NAMES_OPTION =
  /^(?:-T|--files-?from|--files0-from|-files0-from|--pathspec-from-file|--stdin-paths|--stdin|-@|--names-stdin|--from-file)(?:=|$)/;

/** Files whose names a command is fed: `find … | tar cf x -T -`, `cpio -o <<< .env`. */
export function listed(command: ShellCommand): readonly CommandFile[] {
  const { name, args, pipedFrom, substituted } = command;
  if (!READS_NAMES.test(name) && !args.some((word) => NAMES_OPTION.test(word.text))) return [];
  const texts = [fedText(command), ...substituted.map((each) => printedText(each) ?? "")];
  const found = pipedFrom.length === 0 ? [] : (wordsPrinted(pipedFrom) ?? []);
  return [
    ...texts.flatMap((text) => text.split(/[\n\0]+/)).flatMap((text) => readAs(text.trim())),
    ...found.map((word) => file(word, "read")),
  ];
}

function readAs(text: string): readonly CommandFile[] {
  return text === "" ? [] : [file({ ...literalWord(text), isGlob: /[*?[]/.test(text) }, "read")];
}

/** Options with which programs that look at names print what is in a file, or write one. */
const SHOWS: Readonly<Record<string, RegExp>> = {
  date: /^(?:-[a-zA-Z]*f|--file)$/,
  file: /^(?:-[a-zA-Z]*f|--files-from)$/,
  wc: /^--files0-from$/,
  du: /^(?:--files0-from|-X|--exclude-from)$/,
  find: /^-files0-from$/,
  history: /^-[rn]+$/,
  tree: /^(?:--fromfile|--fromtabfile|--infofile|--gitfile)$/,
};
const WRITES: Readonly<Record<string, RegExp>> = { history: /^-[aw]+$/, tree: /^(?:-o|--output)$/ };
/** The same with the value attached, for all of them. */
const ATTACHED = /^--?(?:file|files-from|files0-from|exclude-from|fromfile|infofile|gitfile)=(.+)$/s;

/** The files that are opened by a program which otherwise looks at names only. */
export function openedByOption({ name, args }: ShellCommand): readonly CommandFile[] {
  const shows = Object.hasOwn(SHOWS, name) ? SHOWS[name] : undefined;
  const writes = Object.hasOwn(WRITES, name) ? WRITES[name] : undefined;
  return args.flatMap((word, at): readonly CommandFile[] => {
    const before = args[at - 1]?.text ?? "";
    if (writes?.test(before)) return [file(word, "write")];
    if (shows?.test(before)) return [file(word, "read")];
    const value = shows === undefined ? undefined : attachedValue(name, word);
    return value === undefined ? [] : [{ ...file(word, "read"), text: value }];
  });
}

function attachedValue(name: string, { text }: ShellWord): string | undefined {
  return ATTACHED.exec(text)?.[1] ?? (/^(?:date|file)$/.test(name) ? /^-f(.+)$/s.exec(text)?.[1] : undefined);
}
