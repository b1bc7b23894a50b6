import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AppError } from "../app-error.ts";
import { positionOf } from "./json-tree.ts";

export interface FileEdit {
  /** undefined: there was, or is to be, no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The file itself, with symbolic links resolved. */
  readonly target: string;
  /** The folder was created for the file. */
  readonly createdFolder: boolean;
}

export interface EditOptions {
  readonly dryRun?: boolean;
  /** For a file that did not exist; an existing one keeps its own mode. */
  readonly newFileMode: number;
  /** Runs before each attempt to commit the new text. */
  readonly beforeCommit?: (edit: FileEdit) => Promise<void> | void;
}

const MAX_ATTEMPTS = 10;

/**
 * Replaces a file's text atomically: a reader sees the old or the new, never a part. Follows links and
 * preserves mode and owner. Starts over if another program writes between our read and our write.
 */
export async function editFile(
  path: string,
  change: (text: string | undefined, target: string) => string | undefined,
  options: EditOptions,
): Promise<FileEdit> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const target = await followLinks(path);
    const bytes = await readIfExists(target);
    const before = bytes && decode(bytes, path);
    const after = change(before, target);
    const createdFolder = before === undefined && after !== undefined && !(await pathExists(dirname(target)));
    const edit = { before, after, target, createdFolder };
    if (after === before || options.dryRun) return edit;

    const isUnchanged = async () =>
      (await followLinks(path)) === target && isSame(await readIfExists(target), bytes);
    try {
      if (await replace(edit, options, isUnchanged)) return edit;
    } catch (error) {
      if (createdFolder) await rmdir(dirname(target)).catch(() => undefined);
      throw error;
    }
  }
  throw new AppError("settings_busy", `${path} is being changed by another program. Run it again.`);
}

/** Returns false if the file is no longer as we read it. */
async function replace(edit: FileEdit, options: EditOptions, isUnchanged: () => Promise<boolean>) {
  const { after, target } = edit;
  if (after === undefined) {
    await options.beforeCommit?.(edit);
    if (!(await isUnchanged())) return false;
    await wrapWriteError(target, () => rm(target));
    return true;
  }
  const folder = dirname(target);
  const temporary = join(folder, `.hookline-${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
  if (edit.createdFolder) await wrapWriteError(target, () => mkdir(folder));
  try {
    await wrapWriteError(target, () => writeLike(temporary, after, target, options.newFileMode));
    await options.beforeCommit?.(edit);
    if (!(await isUnchanged())) return false;
    await wrapWriteError(target, () => rename(temporary, target));
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
  await syncFolder(folder);
  return true;
}

/** Uses the mode and, if permitted, the owner of the file it replaces, else of the folder. */
async function writeLike(path: string, text: string, replaced: string, newFileMode: number): Promise<void> {
  const old = await stat(replaced).catch(() => undefined);
  const owner = old ?? (await stat(dirname(replaced)));
  const file = await open(path, "wx", old ? 0o600 : newFileMode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (process.getuid?.() === 0) await chown(path, owner.uid, owner.gid);
  if (old) await chmod(path, old.mode & 0o7777);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function followLinks(path: string): Promise<string> {
  let target = resolve(path);
  for (let hops = 0; hops < 40; hops++) {
    const info = await lstat(target).catch(() => undefined);
    if (!info?.isSymbolicLink()) return target;
    target = resolve(dirname(target), await readlink(target));
  }
  throw new AppError("settings_unreadable", `${path} is a symbolic link that leads to itself.`);
}

async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new AppError(
      "settings_unreadable",
      `${path} cannot be read (${codeOf(error)}). Nothing was written.`,
      {
        cause: error,
      },
    );
  }
}

/** A lossy decode would change bytes that are not ours, so it is refused. */
function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const text = bytes.toString("utf8");
    const { line, column } = positionOf(text, text.indexOf("\ufffd"));
    throw new AppError(
      "settings_invalid",
      `${path}:${line}:${column} is not UTF-8 text. Nothing was written.`,
      {
        cause,
      },
    );
  }
}

async function wrapWriteError(target: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new AppError(
      "settings_unwritable",
      `${target} cannot be written (${codeOf(error)}). It is as it was; check the folder's permissions and space.`,
      { cause: error },
    );
  }
}

async function pathExists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a && b ? a.equals(b) : a === b;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
