/** Turns a terminal's focus reports on and off. */
export const FOCUS_ON = "\u001b[?1004h";
export const FOCUS_OFF = "\u001b[?1004l";

/**
 * Calls back at every focus report in the terminal input. Ink drops these reports because they are not keys,
 * so they are read separately: with Ink's `readable` listener in place, `data` only repeats what it reads.
 */
export function watchFocus(stdin: NodeJS.ReadStream, onFocus: (isFocused: boolean) => void): () => void {
  let rest = "";
  const onData = (chunk: string | Buffer): void => {
    const text = rest + String(chunk);
    const last = [...text.matchAll(REPORT)].at(-1);
    if (last !== undefined) onFocus(last[1] === "I");
    // A report may be split across two reads.
    rest = text.slice(-2);
  };
  stdin.on("data", onData);
  return () => stdin.off("data", onData);
}

const REPORT = /\u001b\[([IO])/g;
