const MIN_CHARS = 20;
/** A syllable or ideograph says as much as two or three letters. */
const MIN_WIDE_CHARS = 8;
const WIDE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Whether a prompt says enough to name its session: "yes, go on" and slash commands don't. */
export function namesSession(prompt: string): boolean {
  const text = prompt.slice(0, 1_000).trim();
  if (/^[/!#]/.test(text) || text === "(private)") return false;
  return text.length >= MIN_CHARS || (text.match(WIDE)?.length ?? 0) >= MIN_WIDE_CHARS;
}
