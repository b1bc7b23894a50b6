import type { Hunk } from "../conversation/diff-lines.ts";

/** The net result of successive patches to one file: each applies to the file as the previous one left it. */
export function netDiff(patches: readonly (readonly Hunk[])[]): Hunk[] {
  const file = createFile();
  for (const hunks of patches) {
    // Bottom up, so that the line numbers above stay valid.
    for (const hunk of [...hunks].sort((a, b) => b.oldStart - a.oldStart)) file.apply(hunk);
  }
  return file.hunks();
}

/** A piece of a partially known file: a run of original lines, or a new line. */
type Piece =
  | { readonly type: "old"; readonly from: number; readonly length: number }
  | { readonly type: "new"; readonly text: string };

const CONTEXT_LINES = 3;

function createFile() {
  let pieces: Piece[] = [{ type: "old", from: 1, length: Number.MAX_SAFE_INTEGER }];
  const knownLines = new Map<number, string>();

  /** Splits before the nth current line, and returns the index of the piece that starts there. */
  const splitAt = (line: number): number => {
    let currentLine = 1;
    for (const [index, piece] of pieces.entries()) {
      if (currentLine === line) return index;
      const length = piece.type === "old" ? piece.length : 1;
      if (piece.type === "old" && line < currentLine + length) {
        const headLength = line - currentLine;
        pieces = [
          ...pieces.slice(0, index),
          { type: "old", from: piece.from, length: headLength },
          { type: "old", from: piece.from + headLength, length: piece.length - headLength },
          ...pieces.slice(index + 1),
        ];
        return index + 1;
      }
      currentLine += length;
    }
    return pieces.length;
  };

  const isolateLine = (line: number): Piece => {
    const index = splitAt(line);
    splitAt(line + 1);
    return pieces[index]!;
  };

  return {
    apply({ oldStart, lines }: Hunk): void {
      let currentLine = Math.max(1, oldStart);
      for (const line of lines) {
        const marker = line[0];
        const text = line.slice(1);
        if (marker === "+") {
          const index = splitAt(currentLine);
          pieces.splice(index, 0, restoredPiece(pieces[index - 1], text) ?? { type: "new", text });
          currentLine++;
        } else if (marker === "-" || marker === " ") {
          const piece = isolateLine(currentLine);
          if (piece.type === "old" && !knownLines.has(piece.from)) knownLines.set(piece.from, text);
          if (marker === "-") pieces.splice(pieces.indexOf(piece), 1);
          else currentLine++;
        }
      }
    },
    hunks: () => toHunks(mergeAdjacent(pieces), knownLines),
  };

  /** A line restored at its original position is not a change. */
  function restoredPiece(before: Piece | undefined, text: string): Piece | null {
    const next = before === undefined ? 1 : before.type === "old" ? before.from + before.length : null;
    if (next === null || knownLines.get(next) !== text) return null;
    const isPresent = pieces.some(
      (piece) => piece.type === "old" && piece.from <= next && next < piece.from + piece.length,
    );
    return isPresent ? null : { type: "old", from: next, length: 1 };
  }
}

function mergeAdjacent(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (piece.type === "old" && last?.type === "old" && last.from + last.length === piece.from)
      merged[merged.length - 1] = { ...last, length: last.length + piece.length };
    else merged.push(piece);
  }
  return merged;
}

function toHunks(pieces: readonly Piece[], knownLines: ReadonlyMap<number, string>): Hunk[] {
  const hunks: Hunk[] = [];
  let lines: string[] = [];
  let start: { old: number; new: number } | null = null;
  let oldLine = 1;
  let newLine = 1;
  const openHunk = (): void => {
    if (start !== null) return;
    const before: string[] = [];
    for (let line = oldLine - 1; line > oldLine - 1 - CONTEXT_LINES && knownLines.has(line); line--)
      before.unshift(` ${knownLines.get(line)}`);
    start = { old: oldLine - before.length, new: newLine - before.length };
    lines = before;
  };
  const closeHunk = (): void => {
    if (start !== null) hunks.push({ oldStart: start.old, newStart: start.new, lines });
    start = null;
  };
  const removeUpTo = (end: number): void => {
    for (; oldLine < end; oldLine++) {
      openHunk();
      lines.push(`-${knownLines.get(oldLine) ?? ""}`);
    }
  };
  for (const piece of pieces) {
    if (piece.type === "new") {
      openHunk();
      lines.push(`+${piece.text}`);
      newLine++;
      continue;
    }
    removeUpTo(piece.from);
    const end = piece.from + piece.length;
    if (start !== null)
      for (
        let count = 0;
        oldLine < end && knownLines.has(oldLine) && count < CONTEXT_LINES;
        count++, oldLine++, newLine++
      )
        lines.push(` ${knownLines.get(oldLine)}`);
    // Lines far from any change are skipped; adjacent pieces continue in the same hunk.
    if (oldLine < end) {
      closeHunk();
      newLine += end - oldLine;
      oldLine = end;
    }
  }
  closeHunk();
  return hunks
    .map(sortRuns)
    .filter(({ lines: hunkLines }) => hunkLines.some((line) => !line.startsWith(" ")));
}

/** Within a run of changes, removed lines come before added ones. */
function sortRuns({ lines, ...position }: Hunk): Hunk {
  const sorted: string[] = [];
  let added: string[] = [];
  for (const line of lines) {
    if (line.startsWith("+")) added.push(line);
    else {
      if (line.startsWith(" ")) {
        sorted.push(...added);
        added = [];
      }
      sorted.push(line);
    }
  }
  return { ...position, lines: [...sorted, ...added] };
}
