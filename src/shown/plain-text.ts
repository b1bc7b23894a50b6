import { stripVTControlCharacters } from "node:util";

/** What came from an agent is hostile text: no escape, control or direction character reaches a terminal. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.toWellFormed()).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}

/** The same, with every run of white space as one space. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

/** Line by line, indentation kept. */
export function plainLines(text: string): string[] {
  return text.split("\n").map((line) => plainText(line.replaceAll("\t", "  ")).trimEnd());
}

/** A part of a text as it comes: line breaks and spaces stay, also at its end. */
export function plainPart(text: string): string {
  return text
    .split("\n")
    .map((line) => plainText(line.replaceAll("\t", "  ")))
    .join("\n");
}
