import { pathsOfCall } from "../../agents/tool-call.ts";
import { blobOf, hunksOf, isEdit } from "./call-hunks.ts";
import type { Hunk } from "./diff-lines.ts";
import { netDiff } from "./net-diff.ts";
import type { Call } from "./pair-calls.ts";
import { textOf } from "./session-event.ts";

export interface ChangedFile {
  readonly path: string;
  /** The calls that changed it, in order. */
  readonly calls: readonly Call[];
}

/** Files by the order in which they were first touched. Calls that failed changed nothing. */
export function changedFiles(calls: readonly Call[]): ChangedFile[] {
  const files = new Map<string, Call[]>();
  for (const call of calls) {
    if (!isEdit(call.kind) || call.status !== "ok") continue;
    const [named] = pathsOfCall({ toolName: call.toolName, toolKind: call.kind, toolInput: call.input });
    const path = textOf(call.metadata["filePath"]) ?? named;
    if (path === undefined) continue;
    const known = files.get(path);
    if (known === undefined) files.set(path, [call]);
    else known.push(call);
  }
  return [...files].map(([path, own]) => ({ path, calls: own }));
}

export interface Net {
  readonly hunks: readonly Hunk[];
  /** False when nobody told where in the file a change was: then they stand one after the other. */
  readonly isNet: boolean;
}

function netOf(patches: readonly (readonly Hunk[])[]): Net {
  const isPlaced = patches.flat().every(({ oldStart, newStart }) => oldStart > 0 || newStart > 0);
  return isPlaced ? { hunks: netDiff(patches), isNet: true } : { hunks: patches.flat(), isNet: false };
}

/** The hashes of what of a file's changes is kept elsewhere. */
export function blobsOf(calls: readonly Call[]): string[] {
  return calls.flatMap(({ input, patch }) => [blobOf(input), blobOf(patch)].filter((hash) => hash !== null));
}

/** What a file's calls changed, with values that were kept elsewhere put in. */
export function wholeNet(calls: readonly Call[], blobs: ReadonlyMap<string, unknown>): Net {
  const whole = (value: unknown): unknown => {
    const hash = blobOf(value);
    return hash === null ? value : (blobs.get(hash) ?? value);
  };
  return netOf(
    calls.map(({ kind, input, patch }) => {
      const own = whole(patch);
      return hunksOf(kind, whole(input), blobOf(own) === null ? own : null);
    }),
  );
}
