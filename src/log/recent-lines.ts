/** What was appended and no view has read yet: all there is of it, should somebody cut the log just then. */
export interface RecentLines {
  add(lines: readonly string[]): void;
  /** A view has these now. Told by the lines and not by their place, which a log that is cut gives twice. */
  read(lines: readonly string[]): void;
  /** Gives what is held, and forgets it. */
  take(): string[];
}

/** More than this waits only behind a database that is locked for long; the oldest is not held then. */
const MOST_CHARS = 32 * 1024 * 1024;

export function createRecentLines(mostChars = MOST_CHARS): RecentLines {
  let held: string[] = [];
  let first = 0;
  let chars = 0;
  const dropFirst = (): void => {
    chars -= held[first]!.length;
    first++;
    if (first === held.length) {
      held = [];
      first = 0;
    }
  };
  return {
    add(lines) {
      for (const line of lines) {
        held.push(line);
        chars += line.length;
      }
      while (chars > mostChars) dropFirst();
    },
    read(lines) {
      // A view reads in the order of the log: what it read is what is held longest, or was not held any more.
      for (const line of lines) if (held[first] === line) dropFirst();
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
