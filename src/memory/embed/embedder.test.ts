import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type OpenedEmbedder, openEmbedder } from "./embedder.ts";
import { LOCAL_MODEL } from "./local-model.ts";
import { findLocalModel, findModelFolder } from "./model-folder.ts";
import { findWeightsFault } from "./weights.testing.ts";

const scratch = mkdtempSync(join(tmpdir(), "hookline-embedder-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function open(embedder: string | null, env: Record<string, string> = {}): OpenedEmbedder {
  return openEmbedder({ embedder, embedderModel: "m" }, { env });
}

function createFolder(name: string, files: Record<string, string>): string {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

function embedderOf(opened: OpenedEmbedder) {
  if (opened.type === "none") throw new Error(opened.why);
  return opened.embedder;
}

describe("openEmbedder", () => {
  it("opens nothing for null or an unusable URL", () => {
    expect(open(null)).toEqual({ type: "none", why: "memory.embedder is null" });
    expect(open("http://[")).toMatchObject({ type: "none", why: "memory.embedder is not a URL: http://[" });
    expect(open("https://me:secret@example.org")).toEqual({
      type: "none",
      why: "memory.embedder contains a password: put the key in HOOKLINE_EMBEDDINGS_KEY",
    });
  });

  it("opens a URL without requesting it", () => {
    expect(embedderOf(open("https://example.org/v1")).name).toBe("example.org/v1/embeddings m");
  });

  it("reports what a folder lacks", () => {
    const wordLevel = JSON.stringify({ model: { type: "WordLevel", vocab: {} } });
    const missingReason = (path: string) => findModelFolder(path) as { why: string };
    expect(missingReason(join(scratch, "nowhere")).why).toMatch(
      /neither model_quantized.onnx nor model.onnx in .*nowhere$/,
    );
    expect(missingReason(createFolder("bare", { "model.onnx": "" })).why).toMatch(
      /no tokenizer.json in .*bare$/,
    );
    expect(missingReason(createFolder("torn", { "model.onnx": "", "tokenizer.json": "{" })).why).toMatch(
      /is not JSON$/,
    );
    const other = createFolder("other", { "model.onnx": "", "tokenizer.json": wordLevel });
    expect(open(other)).toEqual({
      type: "none",
      why: `the model in ${other} cannot be used: its tokenizer is of the kind WordLevel, which is not supported`,
    });
    expect(findLocalModel(join(scratch, "nowhere"))).toEqual({
      type: "missing",
      why: `no model weights in ${join(scratch, "nowhere")}: in a clone, run npm run prepare while online`,
    });
  });
});

describe.skipIf(findWeightsFault() !== null)("openEmbedder with a model", () => {
  it("opens the local model by default", async () => {
    const embedder = embedderOf(open("local"));
    expect(embedder).toMatchObject({ name: "all-MiniLM-L6-v2@afdb6f1a", dimensions: 384 });
    expect(embedder.isWarm()).toBe(false);
    await embedder.close();
  });

  it("opens a folder in the published layout, named by its content, with its pooling", async () => {
    const path = join(scratch, "home/mine");
    mkdirSync(join(path, "onnx"), { recursive: true });
    mkdirSync(join(path, "1_Pooling"));
    copyFileSync(join(LOCAL_MODEL.folder, "tokenizer.json"), join(path, "tokenizer.json"));
    symlinkSync(join(LOCAL_MODEL.folder, "model_quantized.onnx"), join(path, "onnx/model.onnx"));
    const own = embedderOf(open("~/mine", { HOME: join(scratch, "home") }));
    expect(own.name).toMatch(/^mine@[0-9a-f]{8}$/);
    const local = embedderOf(open("local"));
    const texts = ["restart the server", "banana bread"];
    const vectors = await local.embed(texts);
    expect(await own.embed(texts)).toEqual(vectors);

    writeFileSync(join(path, "1_Pooling/config.json"), `{"pooling_mode_cls_token":true}`);
    const clsPooled = embedderOf(open(path));
    expect(clsPooled.name).not.toBe(own.name);
    expect(await clsPooled.embed(texts)).not.toEqual(vectors);

    writeFileSync(join(path, "tokenizer.json"), `${readFileSync(join(path, "tokenizer.json"), "utf8")}\n`);
    expect(embedderOf(open(path)).name).not.toBe(clsPooled.name);
    await Promise.all([own, local, clsPooled].map((embedder) => embedder.close()));
  });
});
