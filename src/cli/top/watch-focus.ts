/** Has a terminal report when it gains and loses the focus, and no longer. */
export const FOCUS_ON = "\u001b[?1004h";
export const FOCUS_OFF = "\u001b[?1004l";

/**
 * Calls back at every focus report in what is read from a terminal. Ink takes these reports for no key and drops them,
 * so they are looked for beside it: with its `readable` listener in place, `data` only repeats what it reads.
 */
export function watchFocus(stdin: NodeJS.ReadStream, onFocus: (isFocused: boolean) => void): () => void {
  let rest = "";
  const onData = (chunk: string | Buffer): void => {
    const text = rest + String(chunk);
    const last = [...text.matchAll(REPORT)].at(-1);
    if (last !== undefined) onFocus(last[1] === "I");
    // A report may come in two reads.
    rest = text.slice(-2);
  };
  stdin.on("data", onData);
  return () => stdin.off("data", onData);
}

const REPORT = /\u001b\[([IO])/g;
