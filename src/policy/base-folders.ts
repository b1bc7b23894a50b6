import { posix } from "node:path";
import type { Locations } from "./locations.ts";
import { type ShellCommand, UNKNOWN } from "./shell/shell-reading.ts";
import { giveUp } from "./work.ts";

/** Options of many programs whose value is the folder that other names are relative to. */
const FOLDER_OPTION =
  /^(?:-C|--(?:directory|dir|cwd|chdir|work-?tree|work(?:ing)?-?dir(?:ectory)?|prefix|root|root-?[dD]ir|project-directory|base-?dir|base-?directory|basedir|source-?dir|srcdir|start-dir|home|relative-to))$/;
const ATTACHED_FOLDER_OPTION =
  /^(?:-C(?=[./~\w])|-chdir=|--(?:directory|dir|cwd|chdir|work-?tree|work(?:ing)?-?dir(?:ectory)?|prefix|root|root-?[dD]ir|project-directory|base-?dir|base-?directory|basedir|source-?dir|srcdir|home)=)(.+)$/s;
/** Variables with the same effect. */
const FOLDER_VARIABLE = /^(?:GIT_WORK_TREE|GIT_DIR|GIT_CEILING_DIRECTORIES|npm_config_prefix)$/;

const MAX_FOLDERS = 4;

/** `git -C ~ add x`, `make --directory=src x`: folders that names after such an option may be relative to. */
export function baseFoldersOfCommand({ args, cwds, assignedVariables }: ShellCommand): readonly string[] {
  const texts = args.flatMap((word, at) => {
    const before = args[at - 1]?.text ?? "";
    if (FOLDER_OPTION.test(before)) return [word.text];
    const value = ATTACHED_FOLDER_OPTION.exec(word.text)?.[1];
    return value === undefined ? [] : [value];
  });
  const named = [...new Set(texts)];
  if (named.length > MAX_FOLDERS) giveUp();
  const folders = named.flatMap((text) =>
    /^[/~\0]/.test(text) ? [text] : cwds.map((cwd) => `${cwd}/${text}`),
  );
  return assignedVariables.some((name) => FOLDER_VARIABLE.test(name)) ? [...folders, UNKNOWN] : folders;
}

/** Where names and commands in a tool's input may resolve: here, or in a folder that the input names. */
export function baseFoldersOfInput(folders: readonly string[], { cwd, home }: Locations): readonly string[] {
  const named = folders.map((folder) =>
    posix.resolve(cwd, /^~(?:\/|$)/.test(folder) ? `${home}${folder.slice(1)}` : folder),
  );
  return [...new Set([cwd, ...named])];
}
