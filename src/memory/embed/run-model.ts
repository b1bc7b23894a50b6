import { readFileSync } from "node:fs";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { findTokenizerFault } from "./find-tokenizer-fault.ts";
import { l2Normalise } from "./l2-normalise.ts";
import type { ModelFiles } from "./model-folder.ts";
import { createTokenizer } from "./tokenizer.ts";

const MAX_TOKENS = 256;

export type RunnableModel = Pick<ModelFiles, "onnxFile" | "tokenizerFile" | "pooling">;

/**
 * Loads the model. One text per run: a batch is no faster on one thread, needs more memory, and a quantised
 * model scales by everything in the batch, so that a text's vector would depend on its neighbours.
 */
export async function loadModel(model: RunnableModel): Promise<(text: string) => Promise<Float32Array>> {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const json: unknown = JSON.parse(readFileSync(model.tokenizerFile, "utf8"));
  const fault = findTokenizerFault(json);
  if (fault !== null) throw new Error(fault);
  const tokenizer = createTokenizer(json as object);
  const session = await InferenceSession.create(model.onnxFile, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  return async (text) => {
    const ids = tokenizer.encode(text, MAX_TOKENS);
    const tensor = (values: BigInt64Array): Tensor => new Tensor("int64", values, [1, ids.length]);
    const feeds: Record<string, Tensor> = {
      input_ids: tensor(BigInt64Array.from(ids, BigInt)),
      attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(ids.length)),
    };
    const inputs = Object.entries(feeds).filter(([name]) => session.inputNames.includes(name));
    const output = outputOf(session, await session.run(Object.fromEntries(inputs)));
    return l2Normalise(pool(output, model.pooling));
  };
}

function outputOf(session: InferenceSession, outputs: Readonly<Record<string, Tensor>>): Tensor {
  const outputName = ["sentence_embedding", "last_hidden_state"].find((name) =>
    session.outputNames.includes(name),
  );
  return outputs[outputName ?? session.outputNames[0]!]!;
}

/** A sentence's vector: as is, the first token's, or the mean of all tokens (none of them is padding). */
function pool(output: Tensor, pooling: ModelFiles["pooling"]): Float32Array {
  const values = output.data;
  const width = output.dims.at(-1)!;
  const sum = Float32Array.from(values.subarray(0, width));
  if (output.dims.length === 2 || pooling === "cls") return sum;
  for (let at = width; at < values.length; at += 1) sum[at % width]! += values[at]!;
  return sum.map((value) => value / (values.length / width));
}
