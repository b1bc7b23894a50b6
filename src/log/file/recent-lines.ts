/** What was appended and no view has read yet: all there is of it, should somebody cut the log just then. */
export interface RecentLines {
  /**
   * These lines are being written. A view may read them before the write is known to be on the disk, so they must be
   * known here before it begins; lines added only afterwards would be held for good.
   */
  begin(lines: readonly string[]): void;
  /** The write that began last is done: holds what no view has read meanwhile. */
  commit(): void;
  /** The write that began last failed. */
  abort(): void;
  add(lines: readonly string[]): void;
  /** A view has these now. Told by the lines and not by their place, which a log that is cut gives twice. */
  read(lines: readonly string[]): void;
  /** Gives what is held, and forgets it. */
  take(): string[];
}

/** More than this waits only behind a database that is locked for long; the oldest is not held then. */
const MOST_CHARS = 32 * 1024 * 1024;
/** Places of lines that were read, before the list is copied without them. */
const MAX_EMPTY = 1_024;

export function createRecentLines(mostChars = MOST_CHARS): RecentLines {
  let held: string[] = [];
  let first = 0;
  let chars = 0;
  let writing: readonly string[] = [];
  let readWhileWriting = 0;

  const dropFirst = (): void => {
    chars -= held[first]!.length;
    // Released now: under steady load the list may never be empty.
    held[first++] = "";
    if (first < held.length && (first < MAX_EMPTY || first < held.length / 2)) return;
    held = held.slice(first);
    first = 0;
  };
  const add = (lines: readonly string[], from = 0): void => {
    for (let at = from; at < lines.length; at++) {
      held.push(lines[at]!);
      chars += lines[at]!.length;
    }
    while (chars > mostChars) dropFirst();
  };
  const endWrite = (): void => {
    writing = [];
    readWhileWriting = 0;
  };

  return {
    begin(lines) {
      writing = lines;
      readWhileWriting = 0;
    },
    commit() {
      add(writing, readWhileWriting);
      endWrite();
    },
    abort: endWrite,
    add: (lines) => add(lines),
    read(lines) {
      // A view reads in the order of the log: what it read is what is held longest, or was not held any more.
      for (const line of lines) {
        if (first < held.length) {
          if (held[first] === line) dropFirst();
        } else if (writing[readWhileWriting] === line) readWhileWriting++;
      }
    },
    take() {
      const lines = held.slice(first);
      held = [];
      first = 0;
      chars = 0;
      return lines;
    },
  };
}
