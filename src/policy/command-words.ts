import type { FoundFiles, ShellCommand, ShellWord } from "./shell/shell-reading.ts";

/**
 * A file that a command names. `move`: it is moved away; `mode`: only its permissions change; `restore`: it gets the
 * content that the repository already holds.
 */
export interface CommandFile {
  readonly text: string;
  readonly isGlob: boolean;
  readonly access: "read" | "write" | "move" | "mode" | "restore" | "either";
  readonly findsHidden?: boolean;
  /** Stands for the files that `find` finds. */
  readonly found?: FoundFiles;
}

export function toCommandFile(word: ShellWord, access: CommandFile["access"]): CommandFile {
  const { text, isGlob, found, findsHidden } = word;
  return {
    text,
    isGlob,
    access,
    ...(found === undefined ? {} : { found }),
    ...(findsHidden ? { findsHidden } : {}),
  };
}

/** A name without a folder or an extension, which may be a field, a test or a branch. */
export const BARE_SECRET_NAME =
  /^[a-z\d_]+_(?:key|token|secret|password|passwd|passphrase|credentials|creds)$/;

/** The words that are not options. */
export function operands(command: ShellCommand): readonly ShellWord[] {
  const end = command.args.findIndex((word) => word.text === "--");
  return command.args.filter((word, at) => (end >= 0 && at > end) || !/^-/.test(word.text));
}

/** The name of a variable or a field is not a file: `-e API_KEY=x`, `-d access_token=x`. */
const VARIABLE = /^(?:[A-Za-z_][\w-]*=|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$)/;

/** `@file`, `name=file`, `name=@file;type=x`, `here:there`, `HEAD:file`. */
export function filesInWord(word: ShellWord): readonly CommandFile[] {
  const read = toCommandFile(word, "read");
  if (/^file:\//i.test(word.text)) return [read];
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(word.text)) return [];
  const parts = fileNamesIn(word.text.replace(VARIABLE, ""), IS_FORM.test(word.text));
  return parts.length <= 1
    ? parts.map((text) => ({ ...read, text }))
    : [read, ...parts.map((text) => ({ ...read, text }))];
}

/** Parts of a submitted form may be quoted, be several, and have a type. */
const IS_FORM = /@|=</;

export function fileNamesIn(text: string, isForm = IS_FORM.test(text)): readonly string[] {
  const signs = isForm ? /[:=@<;,"']/ : /[:=@]/;
  return [...new Set(text.split(signs))].filter((part) => part !== "");
}
