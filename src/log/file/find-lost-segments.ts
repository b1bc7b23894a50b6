import { isSameFile } from "../../files/file-identity.ts";
import type { FilePosition } from "./position.ts";
import { type LogFiles, listSegments } from "./segments.ts";

/** Segments before a saved position that no longer exist as they were. */
export function findLostSegments(files: LogFiles, saved: FilePosition): number[] {
  const segments = listSegments(files);
  const present = new Set(
    segments.filter((segment) => segment.kind !== "active").map((segment) => segment.number),
  );
  const active = segments.at(-1)!;
  const lost: number[] = [];
  for (let number = 1; number < Math.max(active.number, saved.segment); number++) {
    if (!present.has(number)) lost.push(number);
  }
  if (saved.segment >= active.number && saved.offset > 0) {
    if (saved.segment > active.number || !isSameFile(active.path, saved.identity, saved.offset)) {
      lost.push(saved.segment);
    }
  }
  // The writer may have rotated between the two checks, so that a file we missed has another name.
  if (lost.length > 0 && listSegments(files).length !== segments.length)
    return findLostSegments(files, saved);
  return [...new Set(lost)];
}
