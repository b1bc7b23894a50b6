import { createKeyParser, type TerminalInput } from "./parse-keys.ts";

export interface TerminalScreen {
  size(): { readonly columns: number; readonly rows: number };
  /** Paints the lines that changed. None may be wider than the screen. */
  draw(lines: readonly string[]): void;
  /** Restores the user's own screen. */
  close(): void;
}

export interface TerminalScreenOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly onInput: (input: TerminalInput) => void;
  readonly onResize: () => void;
}

/** The alternate screen, without cursor and line wrapping, with focus reports. */
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?1004h\u001b[2J";
const LEAVE = "\u001b[?1004l\u001b[?7h\u001b[?25h\u001b[?1049l";
const CLEAR_LINE = "\u001b[2K";
const CLEAR = "\u001b[2J";
/** Shows the changes of one write at once, where the terminal supports it. */
const BEGIN_UPDATE = "\u001b[?2026h";
const END_UPDATE = "\u001b[?2026l";

/** A terminal sends a sequence at once; one that is incomplete after this time is the Escape key. */
const ESCAPE_TIMEOUT_MS = 30;

export function openTerminalScreen({
  stdin,
  stdout,
  onInput,
  onResize,
}: TerminalScreenOptions): TerminalScreen {
  const parser = createKeyParser();
  let drawn: readonly string[] = [];
  let escapeTimer: NodeJS.Timeout | undefined;

  const onData = (chunk: string): void => {
    clearTimeout(escapeTimer);
    for (const input of parser.parse(chunk)) onInput(input);
    if (parser.isPending())
      escapeTimer = setTimeout(() => {
        for (const input of parser.flush()) onInput(input);
      }, ESCAPE_TIMEOUT_MS);
  };
  const resize = (): void => {
    drawn = [];
    stdout.write(CLEAR);
    onResize();
  };

  stdout.write(ENTER);
  stdout.on("resize", resize);
  stdin.setEncoding("utf8");
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  return {
    size: () => ({ columns: stdout.columns, rows: stdout.rows }),
    draw(lines) {
      const changes = Array.from({ length: Math.max(lines.length, drawn.length) }, (_, index) => {
        const line = lines[index] ?? "";
        if (line === drawn[index]) return "";
        return `\u001b[${index + 1};1H${CLEAR_LINE}${line}`;
      }).join("");
      drawn = lines;
      if (changes !== "") stdout.write(BEGIN_UPDATE + changes + END_UPDATE);
    },
    close() {
      clearTimeout(escapeTimer);
      stdout.off("resize", resize);
      stdin.off("data", onData);
      stdin.setRawMode(false);
      stdin.pause();
      stdout.write(LEAVE);
    },
  };
}
