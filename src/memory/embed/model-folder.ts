import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { findTokenizerFault } from "./find-tokenizer-fault.ts";
import { LOCAL_MODEL } from "./local-model.ts";

/** A model on disk, as passed to the child. */
export interface ModelFiles {
  readonly name: string;
  readonly dimensions: number | null;
  readonly onnxFile: string;
  readonly tokenizerFile: string;
  readonly pooling: "mean" | "cls";
}

export type FoundModel =
  | { readonly type: "found"; readonly model: ModelFiles }
  | { readonly type: "missing"; readonly why: string };

/** The bundled model. The content of its files was checked when they were fetched or packed. */
export function findLocalModel(folder: string = LOCAL_MODEL.folder): FoundModel {
  const [onnxFile, tokenizerFile] = [join(folder, "model_quantized.onnx"), join(folder, "tokenizer.json")];
  if (!existsSync(onnxFile) || !existsSync(tokenizerFile))
    return missing(`no model weights in ${folder}: in a clone, run npm run prepare while online`);
  const { name, dimensions } = LOCAL_MODEL;
  return { type: "found", model: { name, dimensions, onnxFile, tokenizerFile, pooling: "mean" } };
}

/** A user's model, in the usual published layout. */
export function findModelFolder(folder: string): FoundModel {
  const onnxFile = ["model_quantized.onnx", "model.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx"]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  const tokenizerFile = join(folder, "tokenizer.json");
  if (onnxFile === undefined)
    return missing(`there is neither model_quantized.onnx nor model.onnx in ${folder}`);
  if (!existsSync(tokenizerFile)) return missing(`there is no tokenizer.json in ${folder}`);
  const tokenizer = readJson(tokenizerFile);
  const fault = tokenizer === null ? "its tokenizer.json is not JSON" : findTokenizerFault(tokenizer);
  if (fault !== null) return missing(`the model in ${folder} cannot be used: ${fault}`);
  const poolingConfig = readJson(join(folder, "1_Pooling/config.json")) as Record<string, unknown> | null;
  const pooling = poolingConfig?.["pooling_mode_cls_token"] === true ? "cls" : "mean";
  const name = `${basename(folder)}@${fingerprint([onnxFile, tokenizerFile], pooling)}`;
  return { type: "found", model: { name, dimensions: null, onnxFile, tokenizerFile, pooling } };
}

function missing(why: string): FoundModel {
  return { type: "missing", why };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** Hashes sizes and samples: weights may be large, and no two models agree in all of these. */
function fingerprint(paths: readonly string[], pooling: string): string {
  const hash = createHash("sha256").update(pooling);
  const sample = Buffer.alloc(65_536);
  for (const path of paths) {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      hash.update(`${size}\n`);
      for (let part = 0; part < 9; part += 1) {
        const at = Math.floor((Math.max(0, size - sample.length) * part) / 8);
        hash.update(sample.subarray(0, readSync(file, sample, 0, sample.length, at)));
      }
    } finally {
      closeSync(file);
    }
  }
  return hash.digest("hex").slice(0, 8);
}
