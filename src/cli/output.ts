import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The only file that prints. Results go to stdout, everything said beside them to stderr. */
export function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** What is too long to be held. */
export async function printAll(stream: Readable): Promise<void> {
  await pipeline(stream, process.stdout, { end: false });
}

export function note(text: string): void {
  process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
}
