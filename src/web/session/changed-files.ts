import { pathsOfCall } from "../../agents/tool-call.ts";
import { blobHashOf, hunksOf, isEdit } from "../conversation/call-hunks.ts";
import type { Hunk } from "../conversation/diff-lines.ts";
import type { Call } from "../conversation/entry.ts";
import { netDiff } from "./net-diff.ts";
import { textOf } from "./session-event.ts";

export interface ChangedFile {
  readonly path: string;
  /** The calls that changed it, in order. */
  readonly calls: readonly Call[];
}

/** Files in the order of their first change. Failed calls changed nothing. */
export function changedFiles(calls: readonly Call[]): ChangedFile[] {
  const files = new Map<string, Call[]>();
  for (const call of calls) {
    if (!isEdit(call.kind) || call.status !== "ok") continue;
    const [inputPath] = pathsOfCall({ toolName: call.toolName, toolKind: call.kind, toolInput: call.input });
    const path = textOf(call.metadata["filePath"]) ?? inputPath;
    if (path === undefined) continue;
    const earlier = files.get(path);
    if (earlier === undefined) files.set(path, [call]);
    else earlier.push(call);
  }
  return [...files].map(([path, fileCalls]) => ({ path, calls: fileCalls }));
}

export interface NetChange {
  readonly hunks: readonly Hunk[];
  /** False when the position of a change is unknown: then the changes are listed one after the other. */
  readonly isNet: boolean;
}

function combinePatches(patches: readonly (readonly Hunk[])[]): NetChange {
  const arePositionsKnown = patches.flat().every(({ oldStart, newStart }) => oldStart > 0 || newStart > 0);
  return arePositionsKnown
    ? { hunks: netDiff(patches), isNet: true }
    : { hunks: patches.flat(), isNet: false };
}

/** The hashes of a file's changes that are stored as blobs. */
export function blobHashesOf(calls: readonly Call[]): string[] {
  return calls.flatMap(({ input, patch }) =>
    [blobHashOf(input), blobHashOf(patch)].filter((hash) => hash !== null),
  );
}

/** The net change of a file's calls, with blobs filled in. */
export function toNetChange(calls: readonly Call[], blobs: ReadonlyMap<string, unknown>): NetChange {
  const resolve = (value: unknown): unknown => {
    const hash = blobHashOf(value);
    return hash === null ? value : (blobs.get(hash) ?? value);
  };
  return combinePatches(
    calls.map(({ kind, input, patch }) => {
      const resolvedPatch = resolve(patch);
      return hunksOf(kind, resolve(input), blobHashOf(resolvedPatch) === null ? resolvedPatch : null);
    }),
  );
}
