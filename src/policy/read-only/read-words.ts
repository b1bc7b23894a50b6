import { isKnown, type ShellCommand, type ShellWord } from "../shell/shell-reading.ts";
import type { ParsedCommand, ProgramSpec, WordKind } from "./grammar.ts";

/** The words of a call, by role. */
type Words = Pick<ParsedCommand, "flags" | "values" | "operands">;

/** The long and short names of a `ProgramSpec`, ready for lookup. */
interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, WordKind>;
  readonly bare: ReadonlySet<string>;
}

const cache = new WeakMap<ProgramSpec, Options>();

function optionsOf(spec: ProgramSpec): Options {
  const cached = cache.get(spec);
  if (cached !== undefined) return cached;
  const options: Options = {
    flags: new Set([
      ...[...(spec.short ?? "")].map((letter) => `-${letter}`),
      ...(spec.long ?? "").split(" ").map((name) => `--${name}`),
      ...Object.keys(spec.optional ?? {}).map((name) => `--${name}`),
    ]),
    values: new Map(
      Object.entries(spec.values ?? {}).flatMap(([names, kind]) =>
        dashed(names).map((name) => [name, kind] as const),
      ),
    ),
    bare: new Set(dashed(spec.bare ?? "")),
  };
  cache.set(spec, options);
  return options;
}

function dashed(names: string): readonly string[] {
  return names.split(" ").map((name) => (name.length === 1 ? `-${name}` : `--${name}`));
}

/** The kind of value that an option takes. */
export function kindOfOption(spec: ProgramSpec, option: string): WordKind | undefined {
  return optionsOf(spec).values.get(option);
}

/**
 * Options, values and operands of a command, parsed as GNU programs do; null when the grammar does not know a word.
 * Programs that stop at the first operand treat later options as operands, which are checked too.
 */
export function readWords(spec: ProgramSpec, { args }: ShellCommand): Words | null {
  const options = optionsOf(spec);
  const flags = new Set<string>();
  const values: (readonly [string, ShellWord])[] = [];
  const operands: ShellWord[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    const { text } = word;
    if (text === "--") {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (!isKnown(word) || !/^-./s.test(text) || word.found !== undefined) {
      if (!isKnown(word) || word.isSplit) return null;
      operands.push(word);
    } else if (word.isGlob && !text.includes("=")) return null;
    else if (spec.number && /^-\d{1,9}$/.test(text)) flags.add("-#");
    else if (text.startsWith("--")) {
      const wordsTaken = longOption(spec, options, word, args[index + 1], { flags, values });
      if (wordsTaken < 0) return null;
      index += wordsTaken;
    } else {
      const wordsTaken = shortOptions(options, word, args[index + 1], { flags, values });
      if (wordsTaken < 0) return null;
      index += wordsTaken;
    }
  }
  return { flags, values, operands };
}

interface ParsedOptions {
  readonly flags: Set<string>;
  readonly values: (readonly [string, ShellWord])[];
}

/** How many further words it takes; -1 when unknown. */
function longOption(
  spec: ProgramSpec,
  options: Options,
  word: ShellWord,
  next: ShellWord | undefined,
  parsed: ParsedOptions,
): number {
  const split = word.text.indexOf("=");
  const name = split < 0 ? word.text : word.text.slice(0, split);
  // As a glob, the whole word would have to be the name of a file.
  const value = { ...word, text: word.text.slice(split + 1), isGlob: false };
  if (split < 0 && options.flags.has(name)) {
    parsed.flags.add(name);
    return 0;
  }
  const optional = spec.optional?.[name.slice(2)];
  if (split >= 0 && optional !== undefined && Object.hasOwn(spec.optional!, name.slice(2))) {
    parsed.values.push([name, value]);
    return optional.test(value.text) && !word.isGlob ? 0 : -1;
  }
  if (!options.values.has(name)) return -1;
  if (split >= 0) {
    parsed.values.push([name, value]);
    return 0;
  }
  return readNextValue(name, next, options, parsed);
}

/** `-rn`, `-n5`, `-n 5`: after a letter that takes a value, the rest is that value. */
function shortOptions(
  options: Options,
  word: ShellWord,
  next: ShellWord | undefined,
  parsed: ParsedOptions,
): number {
  const letters = [...word.text.slice(1)];
  for (const [index, letter] of letters.entries()) {
    const name = `-${letter}`;
    if (options.values.has(name)) {
      const rest = letters.slice(index + 1).join("");
      if (rest === "") return readNextValue(name, next, options, parsed);
      parsed.values.push([name, { ...word, text: rest }]);
      return 0;
    }
    if (!options.flags.has(name)) return -1;
    parsed.flags.add(name);
  }
  return 0;
}

/** A value that looks like an option may be one where the program parses its words differently. */
function readNextValue(
  name: string,
  next: ShellWord | undefined,
  { bare }: Options,
  parsed: ParsedOptions,
): number {
  if (next === undefined || /^-[^\d]/.test(next.text)) {
    if (!bare.has(name)) return -1;
    parsed.flags.add(name);
    return 0;
  }
  // A glob without matches may disappear, making the next word its value.
  if (next.isSplit || next.isGlob) return -1;
  parsed.values.push([name, next]);
  return 1;
}
