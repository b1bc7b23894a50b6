import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isRunByAgent } from "../agents/run-by-agent.ts";
import { wrapInContextTag } from "../memory/inject/wrap-context.ts";

/** The only file that prints. Results go to stdout, everything else to stderr. */
export function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Prints part of the output unchanged. */
export function printRaw(text: string): void {
  process.stdout.write(text);
}

/**
 * Prints stored memory. An agent that runs this in its shell gets it inside our tag, so that the hook that
 * reports the command's output does not store it again.
 */
export function printMemory(text: string): void {
  print(isRunByAgent(process.env) ? wrapInContextTag(text.trimEnd()) : text);
}

/** JSON escapes only some control characters; the others would reach the terminal, so they are escaped, too. */
export function printJson(value: unknown): void {
  const json = JSON.stringify(value, null, 2) ?? "null";
  print(
    json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      [...Array(character.length).keys()]
        .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
        .join(""),
    ),
  );
}

/** For output too large to buffer; returns the number of bytes. */
export async function printStream(stream: Readable): Promise<number> {
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
