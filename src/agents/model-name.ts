import { knownWords } from "./known-words.ts";

const PREFIXES = knownWords.flatMap(({ modelPrefix }) => modelPrefix ?? []);

/** As lists show it: without what the models of one agent have in common, and without the day of its release. */
export function modelName(model: string): string {
  const whole = model.trim();
  const prefix = PREFIXES.find((each) => whole.startsWith(each)) ?? "";
  return whole
    .slice(prefix.length)
    .replace(/-\d{8}(?=$|\[)/, "")
    .replace(/(\d)-(?=\d)/g, "$1.");
}
