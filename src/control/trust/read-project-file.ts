import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** A file that counts for trust. Without `text`, only its hash is known. */
export interface ProjectFile {
  /** Relative to the project root. */
  readonly file: string;
  readonly hash: string;
  readonly bytes: number;
  readonly text: string | null;
  /** Why its content cannot be determined; then nothing in the project is trusted. */
  readonly problem: string | null;
}

const MAX_BYTES = 1024 * 1024;
/** For a program named by a setting: it is never shown, only hashed. */
const MAX_PROGRAM_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 2_000;
const MAX_DEPTH = 12;

/** Null if there is no such file. A link is read as its target. */
export async function readProjectFile(root: string, file: string): Promise<ProjectFile | null> {
  const path = join(root, file);
  try {
    const info = await stat(path);
    if (!info.isFile()) return unreadableFile(file, info.size, "it is no plain file");
    if (info.size > MAX_BYTES) return unreadableFile(file, info.size, "it is larger than 1 MB");
    const content = await readFile(path);
    const hash = createHash("sha256").update(content).digest("hex");
    return { file, hash, bytes: content.length, text: content.toString("utf8"), problem: null };
  } catch (error) {
    return fromReadError(file, error);
  }
}

/** Reads a program or script of any content. Null if there is none. */
export async function readProgram(root: string, file: string): Promise<ProjectFile | null> {
  const path = join(root, file);
  try {
    const info = await stat(path);
    if (!info.isFile()) return null;
    if (info.size > MAX_PROGRAM_BYTES) return unreadableFile(file, info.size, "it is larger than 256 MB");
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    return { file, hash: hash.digest("hex"), bytes: info.size, text: null, problem: null };
  } catch (error) {
    return fromReadError(file, error);
  }
}

/** Reads every file below a folder, also through links, except those that `isLeftOut` names. */
export async function readTree(
  root: string,
  folder: string,
  isExcluded: (file: string) => boolean,
): Promise<ProjectFile[]> {
  const parts: ProjectFile[] = [];
  const seen = new Set<string>();
  const walk = async (dir: string, depth: number): Promise<void> => {
    if (isExcluded(dir) || parts.length > MAX_FILES) return;
    try {
      const real = await realpath(join(root, dir));
      // Already visited through a cycle of links.
      if (seen.has(real)) return;
      seen.add(real);
      if (depth > MAX_DEPTH) throw new Error("it is too deep");
      for (const name of (await readdir(real)).sort()) {
        const file = join(dir, name);
        if (isExcluded(file)) continue;
        const info = await stat(join(real, name)).catch(() => null);
        if (info?.isDirectory()) await walk(file, depth + 1);
        else {
          const part = await readProjectFile(root, file);
          if (part !== null) parts.push(part);
        }
      }
    } catch (error) {
      const part = fromReadError(dir, error);
      if (part !== null) parts.push(part);
    }
  };
  await walk(folder, 0);
  if (parts.length > MAX_FILES)
    return [...parts.slice(0, MAX_FILES), unreadableFile(folder, 0, `it holds more than ${MAX_FILES} files`)];
  return parts;
}

function fromReadError(file: string, error: unknown): ProjectFile | null {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  return unreadableFile(file, 0, code === "EACCES" ? "it cannot be read" : message);
}

function unreadableFile(file: string, bytes: number, problem: string): ProjectFile {
  return { file, hash: "", bytes, text: null, problem };
}
