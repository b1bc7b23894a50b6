import { spend } from "../work.ts";
import { isKnown, type ShellCommand, type ShellWord } from "./shell-reading.ts";

/** What a command prints, where its words show it; undefined otherwise. */
export function printedText(command: ShellCommand): string | undefined {
  return filesWritten(command).length > 0 ? undefined : textOf(command);
}

/** Whether every shell prints exactly the words of `printedText`: no escapes, no formats but `%s`. */
export function printsPlainWords({ name, args }: ShellCommand): boolean {
  const texts = args.map((word) => word.text);
  if (name === "echo") return texts.every((text) => !text.includes("\\"));
  if (name !== "printf") return name === "cat";
  const [format = "", ...values] = texts;
  return /^%s(?:\\n| )?$/.test(format) && values.every((text) => !text.includes("\\"));
}

/** The files that a command writes known text to, with that text. */
export function writtenTexts(command: ShellCommand): readonly { path: string; text: string }[] {
  const isTee = command.name === "tee";
  const files = isTee ? command.args.filter((word) => !/^-./.test(word.text)) : filesWritten(command);
  if (files.length === 0) return [];
  const [piped] = command.pipedFrom;
  const hereText = command.redirects.find(({ text }) => text !== null)?.text;
  const text = isTee ? (hereText ?? (piped === undefined ? undefined : printedText(piped))) : textOf(command);
  return text == null ? [] : files.map((word) => ({ path: plainPath(word.text), text }));
}

export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}

function filesWritten(command: ShellCommand): readonly ShellWord[] {
  return command.redirects.flatMap(({ target, operator }) =>
    target !== null && operator.includes(">") ? [target] : [],
  );
}

function textOf(command: ShellCommand): string | undefined {
  if (command.name === "cat" && command.args.every((word) => isKnown(word) && word.text === "-"))
    return command.redirects.find(({ text }) => text !== null)?.text ?? undefined;
  return textOfPrintedWords(command.name, command.args);
}

/** What `echo` or `printf` prints for these words. */
export function textOfPrintedWords(name: string, args: readonly ShellWord[]): string | undefined {
  const words = args.map((word) => word.text);
  if (name === "echo") {
    const options = words.findIndex((word) => !/^-[neE]+$/.test(word));
    const texts = options < 0 ? [] : words.slice(options);
    return words.some((word) => /^-\w*e/.test(word)) ? decodeEscapes(texts.join(" ")) : texts.join(" ");
  }
  if (name === "printf") {
    const [format = "", ...values] = words;
    const pattern = decodeEscapes(format);
    const conversionCount =
      pattern.match(CONVERSION)?.filter((conversion) => conversion !== "%%").length ?? 0;
    let text = "";
    // The format is reused for the remaining words.
    do {
      spend(pattern.length);
      text += pattern.replace(CONVERSION, (conversion) =>
        conversion === "%%" ? "%" : decodeEscapes(values.shift() ?? ""),
      );
    } while (conversionCount > 0 && values.length > 0);
    return text + values.map((value) => ` ${value}`).join("");
  }
  return undefined;
}

const CONVERSION = /%(?:[-0-9.]*[sbdq]|%)/g;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", c: "" };

function decodeEscapes(text: string): string {
  return text.replace(/\\(?:x([0-9A-Fa-f]{1,2})|(0?[0-7]{1,3})|(.))/gs, (sequence, hex, octal, char) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return ESCAPES[char] ?? sequence;
  });
}
