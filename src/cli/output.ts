import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isRunByAgent } from "../agents/run-by-agent.ts";
import { inContextTag } from "../memory/inject/wrap.ts";

/** The only file that prints. Results go to stdout, everything said beside them to stderr. */
export function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** A part of what is being written, as it is. */
export function printPart(text: string): void {
  process.stdout.write(text);
}

/**
 * What is remembered already. An agent that asks through its shell gets it in our tag, so that the hook that reports
 * the command's output does not have it remembered again.
 */
export function printRemembered(text: string): void {
  print(isRunByAgent(process.env) ? inContextTag(text.trimEnd()) : text);
}

/** JSON escapes some control characters; the others would reach a terminal, and mean the same escaped. */
export function printJson(value: unknown): void {
  const json = JSON.stringify(value, null, 2) ?? "null";
  print(
    json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) =>
      [...Array(sign.length).keys()]
        .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`)
        .join(""),
    ),
  );
}

/** What is too long to be held. How many bytes it was. */
export async function printAll(stream: Readable): Promise<number> {
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await pipeline(stream, process.stdout, { end: false });
  return bytes;
}

export function note(text: string): void {
  process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
}
