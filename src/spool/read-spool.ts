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
  /** When the hook made the file: its birth, or its last write where that is earlier (a spool that was copied)
   *  or the file system knows no birth. */
  readonly timeNs: bigint;
  readonly sizeBytes: number;
}

/** Tells a file from a later one of the same name. */
export function spoolKey({ name, timeNs }: SpoolFile): string {
  return `${name} ${timeNs}`;
}

export type SpoolRead =
  | { readonly type: "complete"; readonly delivery: HookDelivery }
  | { readonly type: "incomplete"; readonly content: Buffer; readonly reason: string }
  | { readonly type: "gone" };

/** The environment that a record may carry; anything else in its first line is dropped. */
export type EnvKeys = ReadonlySet<string>;

/** What lies in the spool, oldest first. No folder: recording is off, and there is nothing. */
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
  return files.sort(byBirth);
}

/** Hooks write plain files. Anything else (a folder, a pipe, a link to wherever) is left alone and stops nobody. */
export function findSpoolFile(dir: string, name: string): SpoolFile | undefined {
  const path = join(dir, name);
  const found = lookAt(path);
  if (found === undefined || !found.isFile()) return undefined;
  const { birthtimeNs, mtimeNs } = found;
  const timeNs = birthtimeNs > 0n && birthtimeNs < mtimeNs ? birthtimeNs : mtimeNs;
  return { name, path, timeNs, sizeBytes: Number(found.size) };
}

/** Births are as coarse as the kernel's tick (4 ms): within one, the growing pid of the hook's shell decides. */
function byBirth(a: SpoolFile, b: SpoolFile): number {
  if (a.timeNs !== b.timeNs) return a.timeNs < b.timeNs ? -1 : 1;
  return compareNames(a.name, b.name);
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A name too long or too odd for the file system.
    return undefined;
  }
}

/** As hooks name their files; those of versions before this one did not name the agent. */
const HOOK_NAME = /^(?:([a-z]+)-)?(\d+)-(\d+)-(\d+)$/;

/** Numbers by their value, other names after them. Not `Intl.Collator`: its tables take 5 MB. */
function compareNames(a: string, b: string): number {
  const [left, right] = [HOOK_NAME.exec(a), HOOK_NAME.exec(b)];
  if ((left === null) !== (right === null)) return left === null ? 1 : -1;
  if (left !== null && right !== null)
    for (const part of [2, 3, 4])
      if (left[part] !== right[part]) return Number(left[part]) - Number(right[part]);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The name of a file in which a permission request waits: the hook tries few numbers. */
export function isHookName(name: string): boolean {
  return HOOK_NAME.test(name) && /-\d$/.test(name);
}

export function readSpoolFile(file: SpoolFile, keys: EnvKeys): SpoolRead {
  const content = readContent(file);
  return content === null ? { type: "gone" } : parseSpoolFile(file, content, keys);
}

/** More does not fit into one string, so it is not worth the memory to try. */
const MAX_BYTES = constants.MAX_STRING_LENGTH;

/** The bytes of a file, null when it is gone. */
export function readContent(file: SpoolFile): Buffer | null {
  if (file.sizeBytes > MAX_BYTES)
    throw new RangeError(`${file.sizeBytes} bytes are too many for one payload`);
  try {
    const content = readAtOnce(file);
    // Without its last newline it may have grown since it was listed.
    return content.at(-1) === 0x0a ? content : readFileSync(file.path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** As much as was there when it was listed: spares a call to the kernel for each of many files. */
function readAtOnce(file: SpoolFile): Buffer {
  const fd = openSync(file.path, "r");
  try {
    const content = Buffer.allocUnsafe(file.sizeBytes);
    return content.subarray(0, readSync(fd, content, 0, file.sizeBytes, null));
  } finally {
    closeSync(fd);
  }
}

/** A file is complete when it parses: a hook that is still writing has not ended its JSON. */
export function parseSpoolFile(file: SpoolFile, content: Buffer, keys: EnvKeys): SpoolRead {
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
      hooksOf: HOOK_NAME.exec(file.name)?.[1] ?? null,
    },
  };
}

function splitEnv(content: Buffer, keys: EnvKeys): [env: Record<string, string>, body: Buffer] {
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
  const pid = Number(HOOK_NAME.exec(name)?.[2] ?? /^[^-]*/.exec(name)![0]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}
