/** Lines that were appended but not yet read by a view: the only copy if the log is truncated just then. */
export interface UnreadLines {
  /**
   * Call before these lines are written: a view may read them before the write is known to be durable, and
   * lines added only afterwards would be held forever.
   */
  startWrite(lines: readonly string[]): void;
  /** The last started write is done: holds what no view has read meanwhile. */
  commitWrite(): void;
  /** The last started write failed. */
  abortWrite(): void;
  add(lines: readonly string[]): void;
  /** A view has read these. Identified by text and not by position, which a truncated log assigns twice. */
  markRead(lines: readonly string[]): void;
  /** Returns what is held, and clears it. */
  drain(): string[];
}

/** More than this accumulates only behind a database that is locked for long; then the oldest are dropped. */
const MAX_CHARS = 32 * 1024 * 1024;
/** Slots of lines already read, before the list is compacted. */
const MAX_READ_SLOTS = 1_024;

export function createUnreadLines(maxChars = MAX_CHARS): UnreadLines {
  let held: string[] = [];
  let first = 0;
  let chars = 0;
  let writing: readonly string[] = [];
  let readWhileWriting = 0;

  const dropFirst = (): void => {
    chars -= held[first]!.length;
    // Release the string now: under steady load the list may never be empty.
    held[first++] = "";
    if (first < held.length && (first < MAX_READ_SLOTS || first < held.length / 2)) return;
    held = held.slice(first);
    first = 0;
  };
  const add = (lines: readonly string[], from = 0): void => {
    for (let at = from; at < lines.length; at++) {
      held.push(lines[at]!);
      chars += lines[at]!.length;
    }
    while (chars > maxChars) dropFirst();
  };
  const endWrite = (): void => {
    writing = [];
    readWhileWriting = 0;
  };

  return {
    startWrite(lines) {
      writing = lines;
      readWhileWriting = 0;
    },
    commitWrite() {
      add(writing, readWhileWriting);
      endWrite();
    },
    abortWrite: endWrite,
    add: (lines) => add(lines),
    markRead(lines) {
      // A view reads in log order: what it read is the oldest held, or no longer held.
      for (const line of lines) {
        if (first < held.length) {
          if (held[first] === line) dropFirst();
        } else if (writing[readWhileWriting] === line) readWhileWriting++;
      }
    },
    drain() {
      const lines = held.slice(first);
      held = [];
      first = 0;
      chars = 0;
      return lines;
    },
  };
}
