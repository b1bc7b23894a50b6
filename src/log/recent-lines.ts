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
  const held = new Set<string>();
  let chars = 0;
  const drop = (line: string): void => {
    if (held.delete(line)) chars -= line.length;
  };
  return {
    add(lines) {
      for (const line of lines) {
        drop(line);
        held.add(line);
        chars += line.length;
      }
      for (const line of held) {
        if (chars <= mostChars) break;
        drop(line);
      }
    },
    read: (lines) => lines.forEach(drop),
    take() {
      const lines = [...held];
      held.clear();
      chars = 0;
      return lines;
    },
  };
}
