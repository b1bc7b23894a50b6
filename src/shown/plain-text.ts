import { stripVTControlCharacters } from "node:util";

/** Text from an agent is untrusted: no escape, control or direction character may reach a terminal. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.toWellFormed()).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}

/** Like `plainText`, with every run of white space collapsed to one space. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

/** Splits into lines, preserving indentation. */
export function plainLines(text: string): string[] {
  return text.split("\n").map((line) => plainText(line.replaceAll("\t", "  ")).trimEnd());
}

/** For a chunk of a stream: preserves line breaks and spaces, including trailing ones. */
export function plainChunk(text: string): string {
  return text
    .split("\n")
    .map((line) => plainText(line.replaceAll("\t", "  ")))
    .join("\n");
}
