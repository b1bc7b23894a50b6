import { createReadStream, createWriteStream, existsSync, rmSync } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { type LogFiles, listSegments } from "./segments.ts";
import { syncFolder } from "./writer.ts";

/** Compresses every closed segment. The plain file goes only when the compressed one is safely there. */
export async function compressClosed(log: LogFiles): Promise<number> {
  let done = 0;
  for (const segment of listSegments(log)) {
    if (segment.kind !== "closed") continue;
    const target = `${segment.path}.zst`;
    const partial = `${target}.partial`;
    if (existsSync(target)) rmSync(target);
    await pipeline(
      createReadStream(segment.path),
      createZstdCompress(),
      createWriteStream(partial, { mode: 0o600 }),
    );
    await syncFile(partial);
    await rename(partial, target);
    await syncFolder(dirname(target));
    await unlink(segment.path);
    done++;
  }
  return done;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
