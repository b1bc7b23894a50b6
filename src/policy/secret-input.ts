import { maskSecrets } from "../privacy/secrets.ts";
import { ask, type Finding } from "./finding.ts";

/** Fields of the edit tools that are written; what an edit replaces is there already. */
const WRITTEN = new Set(["content", "new_string", "new_source", "edits"]);
const LONGEST = 2_000_000;
const MARK = /\[REDACTED:([a-z0-9-]+)\]/g;

/** A secret that is about to be written or sent. The sentence names its kind, never itself. */
export function secretInInput(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  isEdit: boolean,
): Finding | null {
  const parts = Object.entries(input).filter(([key]) => !isEdit || WRITTEN.has(key));
  for (const text of textsIn(Object.fromEntries(parts), isEdit, 0)) {
    const kind = kindOfSecret(text);
    if (kind !== null)
      return ask("secret-in-input", `The input of ${toolName} holds what looks like a secret (${kind}).`);
  }
  return null;
}

function kindOfSecret(text: string): string | null {
  if (text.length > LONGEST) return kindOfSecret(text.slice(0, LONGEST));
  const before = [...text.matchAll(MARK)].length;
  const marks = [...maskSecrets(text).matchAll(MARK)];
  return marks.length > before ? (marks[0]?.[1] ?? null) : null;
}

function* textsIn(value: unknown, isEdit: boolean, depth: number): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null || depth > 6) return;
  for (const [key, inner] of Object.entries(value)) {
    if (isEdit && key === "old_string") continue;
    // A name beside it can be what makes a value a secret.
    if (!isEdit && typeof inner === "string" && inner.length < 1_000 && !/^\d+$/.test(key))
      yield `${JSON.stringify(key)}: ${JSON.stringify(inner)}`;
    yield* textsIn(inner, isEdit, depth + 1);
  }
}
