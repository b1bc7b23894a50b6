/** An English template and its translation. `{name}` is copied; the content of `{_name}` is translated as well. */
export type SentencePair = readonly [english: string, translated: string];

interface CompiledPair {
  readonly literals: readonly string[];
  readonly names: readonly string[];
  readonly weight: number;
  readonly translated: string;
}

/** Longer text is data, not a message. */
const MAX_CHARS = 4_000;
const MAX_DEPTH = 3;
const MAX_CACHED = 500;

/**
 * Translates daemon messages by matching them against their templates. Text that matches none
 * stays as it is. The literals of a template are searched in order, so matching takes linear time for any
 * text, and copied content is never treated as a template.
 */
export function createTranslator(pairs: readonly SentencePair[]): (text: string) => string {
  const exact = new Map<string, string>();
  const compiled: CompiledPair[] = [];
  for (const [english, translated] of pairs)
    if (english.includes("{")) compiled.push(compile(english, translated));
    else exact.set(english, translated);
  // The template with the most literal text is the most specific one.
  compiled.sort((a, b) => b.weight - a.weight);
  const cached = new Map<string, string>();

  function translate(text: string, depth: number): string {
    if (text.length > MAX_CHARS || depth > MAX_DEPTH) return text;
    const exactMatch = exact.get(text);
    if (exactMatch !== undefined) return exactMatch;
    for (const pair of compiled) {
      const values = match(pair, text);
      if (values === null) continue;
      return pair.translated.replace(/\{(\w+)\}/g, (slot, name: string) => {
        const value = values[pair.names.indexOf(name)];
        if (value === undefined) return slot;
        return name.startsWith("_") ? translate(value, depth + 1) : value;
      });
    }
    return text;
  }

  return (text) => {
    const hit = cached.get(text);
    if (hit !== undefined) return hit;
    const translated = translate(text, 0);
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(text, translated);
    return translated;
  };
}

function compile(english: string, translated: string): CompiledPair {
  const literals = english.split(/\{\w+\}/);
  const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return { literals, names, weight: literals.join("").length, translated };
}

/** The content of each slot; null if the text does not match. A slot is never empty. */
function match({ literals }: CompiledPair, text: string): readonly string[] | null {
  const first = literals[0]!;
  const last = literals.at(-1)!;
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const end = text.length - last.length;
  const values: string[] = [];
  let position = first.length;
  for (const literal of literals.slice(1, -1)) {
    const next = text.indexOf(literal, position + 1);
    if (next < 0 || next + literal.length > end) return null;
    values.push(text.slice(position, next));
    position = next + literal.length;
  }
  if (position >= end) return null;
  values.push(text.slice(position, end));
  return values;
}
