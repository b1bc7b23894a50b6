import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The bundled model. `name` distinguishes its vectors from those of others: see decision 0014. */
export const LOCAL_MODEL = {
  name: "all-MiniLM-L6-v2@afdb6f1a",
  dimensions: 384,
  folder: join(import.meta.dirname, "../../../models/all-MiniLM-L6-v2"),
  files: {
    "model_quantized.onnx": ["afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"],
    // The same content in two serialisations.
    "tokenizer.json": [
      "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
      "aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef",
    ],
  },
} as const;

/** What is missing or unexpected in a folder of the local model; null: nothing. */
export function findModelFault(folder: string): string | null {
  for (const [name, hashes] of Object.entries(LOCAL_MODEL.files)) {
    const path = join(folder, name);
    if (!existsSync(path)) return `${path} is missing`;
    const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
    if (!(hashes as readonly string[]).includes(hash)) return `${path} has an unexpected hash (${hash})`;
  }
  return null;
}
