import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** A file that counts for trust. Without `text`: it is known by its hash alone. */
export interface Part {
  /** Relative to the root of the project. */
  readonly file: string;
  readonly hash: string;
  readonly bytes: number;
  readonly text: string | null;
  /** Why it cannot be known what it holds; then nothing of the project is trusted. */
  readonly problem: string | null;
}

const MOST_BYTES = 1024 * 1024;
/** Of a program that is named by a setting: it is not shown, only known again. */
const MOST_PROGRAM_BYTES = 256 * 1024 * 1024;
const MOST_FILES = 2_000;
const DEEPEST = 12;

/** Null when there is no such file. A link is read as what it leads to. */
export async function readPart(root: string, file: string): Promise<Part | null> {
  const path = join(root, file);
  try {
    const info = await stat(path);
    if (!info.isFile()) return unknown(file, info.size, "it is no plain file");
    if (info.size > MOST_BYTES) return unknown(file, info.size, "it is larger than 1 MB");
    const content = await readFile(path);
    const hash = createHash("sha256").update(content).digest("hex");
    return { file, hash, bytes: content.length, text: content.toString("utf8"), problem: null };
  } catch (error) {
    return failed(file, error);
  }
}

/** A program or a script, of any content. Null when there is none. */
export async function readProgram(root: string, file: string): Promise<Part | null> {
  const path = join(root, file);
  try {
    const info = await stat(path);
    if (!info.isFile()) return null;
    if (info.size > MOST_PROGRAM_BYTES) return unknown(file, info.size, "it is larger than 256 MB");
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    return { file, hash: hash.digest("hex"), bytes: info.size, text: null, problem: null };
  } catch (error) {
    return failed(file, error);
  }
}

/** Every file below a folder, through links too, except what `isLeftOut` names. */
export async function readTree(
  root: string,
  folder: string,
  isLeftOut: (file: string) => boolean,
): Promise<Part[]> {
  const parts: Part[] = [];
  const seen = new Set<string>();
  const walk = async (dir: string, depth: number): Promise<void> => {
    if (isLeftOut(dir) || parts.length > MOST_FILES) return;
    try {
      const real = await realpath(join(root, dir));
      // A ring of links.
      if (seen.has(real)) return;
      seen.add(real);
      if (depth > DEEPEST) throw new Error("it is too deep");
      for (const name of (await readdir(real)).sort()) {
        const file = join(dir, name);
        if (isLeftOut(file)) continue;
        const info = await stat(join(real, name)).catch(() => null);
        if (info?.isDirectory()) await walk(file, depth + 1);
        else {
          const part = await readPart(root, file);
          if (part !== null) parts.push(part);
        }
      }
    } catch (error) {
      const part = failed(dir, error);
      if (part !== null) parts.push(part);
    }
  };
  await walk(folder, 0);
  if (parts.length > MOST_FILES)
    return [...parts.slice(0, MOST_FILES), unknown(folder, 0, `it holds more than ${MOST_FILES} files`)];
  return parts;
}

function failed(file: string, error: unknown): Part | null {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  return unknown(file, 0, code === "EACCES" ? "it cannot be read" : message);
}

function unknown(file: string, bytes: number, problem: string): Part {
  return { file, hash: "", bytes, text: null, problem };
}
