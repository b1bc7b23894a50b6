import { createReadStream, existsSync, readFileSync, rmSync } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { FRAME_BYTES, hasChecksums, packFrame, packTrailer, readFrames, splitFrame } from "./frames.ts";
import { type LogFiles, listSegments, type Segment } from "./segments.ts";
import { syncFolder } from "./writer.ts";

/** Compresses every closed segment. The plain file is removed only once the compressed one is durable. */
export async function compressClosed(log: LogFiles): Promise<number> {
  let compressed = 0;
  for (const segment of listSegments(log)) {
    if (segment.kind === "active") continue;
    if (segment.kind === "compressed") {
      await addChecksums(segment);
      continue;
    }
    const target = `${segment.path}.zst`;
    if (existsSync(target)) rmSync(target);
    await writeFrames(target, createReadStream(segment.path, { highWaterMark: 256 * 1024 }));
    await unlink(segment.path);
    compressed++;
  }
  return compressed;
}

/** Earlier versions wrote no checksums. A damaged segment stays as it is: reading it reports the damage. */
async function addChecksums({ path }: Segment): Promise<void> {
  if (await hasChecksums(path)) return;
  const contents: Buffer[] = [];
  for await (const { content } of readFrames(readFileSync(path))) {
    if (content === null) return;
    contents.push(content);
  }
  await writeFrames(path, contents);
}

async function writeFrames(
  target: string,
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> {
  const partial = `${target}.partial`;
  const handle = await open(partial, "w", 0o600);
  try {
    await pack(handle, chunks);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, target);
  await syncFolder(dirname(target));
}

async function pack(handle: FileHandle, chunks: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let plainBytes = 0;
  const write = async (lines: Buffer): Promise<void> => {
    plainBytes += lines.length;
    if (lines.length > 0) await handle.appendFile(await packFrame(lines));
  };
  for await (const chunk of chunks) {
    pending.push(chunk as Buffer);
    pendingBytes += (chunk as Buffer).length;
    if (pendingBytes < FRAME_BYTES) continue;
    let rest: Buffer = Buffer.concat(pending);
    for (let split = splitFrame(rest); split !== null; split = splitFrame(rest)) {
      await write(split.frame);
      rest = split.rest;
    }
    [pending, pendingBytes] = [[rest], rest.length];
  }
  await write(Buffer.concat(pending));
  await handle.appendFile(packTrailer(plainBytes));
}
