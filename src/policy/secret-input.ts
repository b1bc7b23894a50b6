import { kindOfFirstSecret } from "../privacy/secrets.ts";
import { ask, type Finding } from "./finding.ts";
import { spend } from "./work.ts";

/** Fields of the edit tools that are written; what an edit replaces already exists. */
const WRITTEN_FIELDS = new Set(["content", "new_string", "new_source", "edits"]);

/** A secret that is about to be written or sent. The sentence names its kind, never its value. */
export function judgeSecretInput(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  isEdit: boolean,
): Finding | null {
  const parts = Object.entries(input).filter(([key]) => !isEdit || WRITTEN_FIELDS.has(key));
  for (const text of textsIn(Object.fromEntries(parts), isEdit)) {
    // Content is scanned to its end, whatever its length; many names and prefixes of secrets cost more.
    spend(text.length / 32);
    const kind = kindOfFirstSecret(text, spend);
    if (kind !== null)
      return ask("secret-in-input", `The input of ${toolName} seems to contain a secret (${kind}).`);
  }
  return null;
}

function* textsIn(value: unknown, isEdit: boolean): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (isEdit && key === "old_string") continue;
    // The name next to a value can make it a secret.
    if (!isEdit && typeof inner === "string" && inner.length < 1_000 && !/^\d+$/.test(key))
      yield `${JSON.stringify(key)}: ${JSON.stringify(inner)}`;
    yield* textsIn(inner, isEdit);
  }
}
