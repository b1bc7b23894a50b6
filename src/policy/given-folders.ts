import { posix } from "node:path";
import type { Places } from "./places.ts";
import { type ShellCommand, UNKNOWN } from "./shell/shell-reading.ts";

/** Options of many programs whose value is the folder that other names are read from. */
const FOLDER_OPTION =
  /^(?:-C|--(?:directory|dir|cwd|chdir|work-?tree|work(?:ing)?-?dir(?:ectory)?|prefix|root|root-?[dD]ir|project-directory|base-?dir|base-?directory|basedir|source-?dir|srcdir|start-dir|home|relative-to))$/;
const ATTACHED =
  /^(?:-C(?=[./~\w])|-chdir=|--(?:directory|dir|cwd|chdir|work-?tree|work(?:ing)?-?dir(?:ectory)?|prefix|root|root-?[dD]ir|project-directory|base-?dir|base-?directory|basedir|source-?dir|srcdir|home)=)(.+)$/s;
/** Variables that do the same. */
const FOLDER_VARIABLE = /^(?:GIT_WORK_TREE|GIT_DIR|GIT_CEILING_DIRECTORIES|npm_config_prefix)$/;

const MAX_FOLDERS = 4;

/** `git -C ~ add x`, `make --directory=src x`: the folders that the names behind such an option may lie in. */
export function foldersGiven({ args, cwds, assigns }: ShellCommand): readonly string[] {
  const texts = args.flatMap((word, at) => {
    const before = args[at - 1]?.text ?? "";
    if (FOLDER_OPTION.test(before)) return [word.text];
    const value = ATTACHED.exec(word.text)?.[1];
    return value === undefined ? [] : [value];
  });
  const folders = [...new Set(texts)].slice(0, MAX_FOLDERS).flatMap((text) => {
    if (/^[/~\0]/.test(text)) return [text];
    return cwds.slice(0, MAX_FOLDERS).map((cwd) => `${cwd}/${text}`);
  });
  return assigns.some((name) => FOLDER_VARIABLE.test(name)) ? [...folders, UNKNOWN] : folders;
}

/** Where the names and commands of a tool's input may lie: here, or in a folder that it names. */
export function foldersNamed(folders: readonly string[], { cwd, home }: Places): readonly string[] {
  const named = folders.map((folder) =>
    posix.resolve(cwd, /^~(?:\/|$)/.test(folder) ? `${home}${folder.slice(1)}` : folder),
  );
  return [...new Set([cwd, ...named])];
}
