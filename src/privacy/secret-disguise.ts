/**
 * Text as a reader sees it: without colour codes and invisible characters, and with percent-encoding
 * decoded. Secrets are found in this view and masked at their position in the original.
 */
import type { Span, Spend } from "./secret-scan.ts";

export interface View {
  readonly text: string;
  /** For each character of the view, its offset in the original; at the end, the original's length. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const NOISE =
  "\\x1b\\[[0-9;:?]{0,32}[ -/]{0,4}[@-~]|\\x1b\\][^\\x07\\x1b]{0,1024}(?:\\x07|\\x1b\\\\)|\\x1b[()][A-Z0-9]|" +
  "\\\\{1,8}(?:u001[bB]|x1[bB]|033|e)\\[[0-9;]{0,20}[A-Za-z]|\\\\{1,8}u(?:200[b-fB-F]|2060|[fF][eE][fF]{2}|00[aA][dD])|" +
  "[\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufe00-\\ufe0f\\ufeff]";
const PERCENT = "%(?:25){0,4}(?:[2-7][0-9A-Fa-f]|0[9ADad])";

export function withoutNoise(text: string, spend: Spend): View {
  return viewOf(text, new RegExp(NOISE, "g"), spend);
}

export function withoutNoiseAndEncoding(text: string, spend: Spend): View {
  return viewOf(text, new RegExp(`${NOISE}|${PERCENT}`, "g"), spend);
}

export function inOriginal(view: View, spans: readonly Span[]): Span[] {
  return spans
    .map(({ start, end, kind }) => ({ start: view.starts[start]!, end: view.ends[end - 1]!, kind }))
    .filter(({ start, end }) => end > start);
}

export function isInvisible(code: number): boolean {
  return (
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x180e
  );
}

function viewOf(text: string, pattern: RegExp, spend: Spend): View {
  spend(text.length / 8);
  const parts: string[] = [];
  const starts = new Uint32Array(text.length + 1);
  const ends = new Uint32Array(text.length + 1);
  let length = 0;
  let from = 0;
  const copyUpTo = (to: number): void => {
    parts.push(text.slice(from, to));
    for (let at = from; at < to; at++) {
      starts[length] = at;
      ends[length++] = at + 1;
    }
  };
  for (const match of text.matchAll(pattern)) {
    spend(40);
    copyUpTo(match.index);
    from = match.index + match[0].length;
    if (!match[0].startsWith("%")) continue;
    parts.push(String.fromCharCode(Number.parseInt(match[0].slice(-2), 16)));
    starts[length] = match.index;
    ends[length++] = from;
  }
  copyUpTo(text.length);
  return { text: parts.join(""), starts, ends };
}
