import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findModelFolder } from "./model-folder.ts";

it.runIf(process.platform === "linux")("leaves no file open if the weights cannot be read", () => {
  const folder = mkdtempSync(join(tmpdir(), "hookline-model-"));
  mkdirSync(join(folder, "model.onnx"));
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify({ model: { vocab: {} } }));
  const openFiles = (): number => readdirSync("/proc/self/fd").length;
  const before = openFiles();
  for (let n = 0; n < 20; n++) expect(() => findModelFolder(folder)).toThrow("EISDIR");
  expect(openFiles()).toBeLessThan(before + 20);
  rmSync(folder, { recursive: true });
});
