import { constants } from "node:buffer";
import {
  type BigIntStats,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import type { HookDelivery } from "../agents/hook-delivery.ts";
import { contentHash } from "../event/ids.ts";

export interface SpoolFile {
  readonly name: string;
  readonly path: string;
  /** When the hook created the file: its birth time, or its last write if that is earlier (a copied spool)
   *  or the file system has no birth times. */
  readonly timeNs: bigint;
  readonly sizeBytes: number;
}

/** Distinguishes a file from a later one of the same name. */
export function spoolKey({ name, timeNs }: SpoolFile): string {
  return `${name} ${timeNs}`;
}

export type SpoolRead =
  | { readonly type: "complete"; readonly delivery: HookDelivery }
  | { readonly type: "incomplete"; readonly content: Buffer; readonly reason: string }
  | { readonly type: "gone" };

/** The environment variables that a record may carry; anything else in its first line is dropped. */
export type AllowedEnvKeys = ReadonlySet<string>;

/** Lists the spool, oldest first. Without the folder recording is off, and the list is empty. */
export function listSpool(dir: string): SpoolFile[] {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch {
    return [];
  }
  const files: SpoolFile[] = [];
  for (const name of names) {
    if (name.startsWith(".")) continue;
    const file = findSpoolFile(dir, name);
    if (file !== undefined) files.push(file);
  }
  return files.sort(compareByBirth);
}

/** Hooks write plain files. Anything else (a folder, a pipe, a link) is ignored and blocks nothing. */
export function findSpoolFile(dir: string, name: string): SpoolFile | undefined {
  const path = join(dir, name);
  const stats = lstatIfPresent(path);
  if (stats === undefined || !stats.isFile()) return undefined;
  const { birthtimeNs, mtimeNs } = stats;
  const timeNs = birthtimeNs > 0n && birthtimeNs < mtimeNs ? birthtimeNs : mtimeNs;
  return { name, path, timeNs, sizeBytes: Number(stats.size) };
}

/** Birth times are as coarse as the kernel's tick (4 ms): within one, the hook's increasing pid decides. */
function compareByBirth(a: SpoolFile, b: SpoolFile): number {
  if (a.timeNs !== b.timeNs) return a.timeNs < b.timeNs ? -1 : 1;
  return compareNames(a.name, b.name);
}

function lstatIfPresent(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A name that is too long or invalid for the file system.
    return undefined;
  }
}

/** A hook's file name; earlier versions did not include the agent. */
const HOOK_FILE_NAME = /^(?:([a-z]+)-)?(\d+)-(\d+)-(\d+)$/;

/**
 * Sorts hook file names by their numbers, other names after them. `Intl.Collator` would cost 5 MB of
 * tables.
 */
function compareNames(a: string, b: string): number {
  const [leftMatch, rightMatch] = [HOOK_FILE_NAME.exec(a), HOOK_FILE_NAME.exec(b)];
  if ((leftMatch === null) !== (rightMatch === null)) return leftMatch === null ? 1 : -1;
  if (leftMatch !== null && rightMatch !== null)
    for (const part of [2, 3, 4])
      if (leftMatch[part] !== rightMatch[part]) return Number(leftMatch[part]) - Number(rightMatch[part]);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a file may hold a permission request: those hooks try only single-digit suffixes. */
export function isRequestFileName(name: string): boolean {
  return HOOK_FILE_NAME.test(name) && /-\d$/.test(name);
}

export function readSpoolFile(file: SpoolFile, keys: AllowedEnvKeys): SpoolRead {
  const content = readSpoolContent(file);
  return content === null ? { type: "gone" } : parseSpoolFile(file, content, keys);
}

/** A larger payload does not fit into one string. */
const MAX_PAYLOAD_BYTES = constants.MAX_STRING_LENGTH;

/** The bytes of a file, null if it no longer exists. Reads into `buffer` if the file fits. */
export function readSpoolContent(file: SpoolFile, buffer?: Buffer): Buffer | null {
  if (file.sizeBytes > MAX_PAYLOAD_BYTES)
    throw new RangeError(`spool file ${file.name} is too large: ${file.sizeBytes} bytes`);
  try {
    const content = readListedBytes(file, buffer ?? Buffer.allocUnsafe(file.sizeBytes));
    // Without a final newline the file may have grown since it was listed.
    return content.at(-1) === 0x0a ? content : readFileSync(file.path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Reads the listed size instead of calling stat again, which saves a system call per file. */
function readListedBytes(file: SpoolFile, buffer: Buffer): Buffer {
  const fd = openSync(file.path, "r");
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, file.sizeBytes, null));
  } finally {
    closeSync(fd);
  }
}

/** A file is complete if it parses: a hook that is still writing has not ended its JSON. */
export function parseSpoolFile(file: SpoolFile, content: Buffer, keys: AllowedEnvKeys): SpoolRead {
  const [env, body] = splitEnv(content, keys);
  if (body.length === 0) return { type: "incomplete", content, reason: "empty" };
  let payload: unknown;
  try {
    // Invalid UTF-8 becomes U+FFFD: a broken character is no reason to lose the event around it.
    payload = JSON.parse(body.toString("utf8"));
  } catch (error) {
    return { type: "incomplete", content, reason: `not JSON: ${(error as Error).message.slice(0, 80)}` };
  }
  return {
    type: "complete",
    delivery: {
      payload,
      env,
      name: file.name,
      timeNs: String(file.timeNs),
      occurredAtIso: new Date(Number(file.timeNs / 1_000_000n)).toISOString(),
      contentHash: () => contentHash(content),
      pid: pidOf(file.name),
      hookOwner: HOOK_FILE_NAME.exec(file.name)?.[1] ?? null,
    },
  };
}

function splitEnv(content: Buffer, keys: AllowedEnvKeys): [env: Record<string, string>, body: Buffer] {
  if (content[3] !== 0x09 || content.toString("latin1", 0, 3) !== "env") return [{}, content];
  const newline = content.indexOf(0x0a);
  if (newline === -1) return [{}, Buffer.alloc(0)];
  const env: Record<string, string> = {};
  for (const pair of content.toString("utf8", 4, newline).split("\t")) {
    const equals = pair.indexOf("=");
    const key = pair.slice(0, equals);
    if (keys.has(key)) env[key] = pair.slice(equals + 1);
  }
  return [env, content.subarray(newline + 1)];
}

function pidOf(name: string): number | null {
  const pid = Number(HOOK_FILE_NAME.exec(name)?.[2] ?? /^[^-]*/.exec(name)![0]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}
