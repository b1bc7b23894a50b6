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

function folder(name: string, files: Record<string, string>): string {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

function use(opened: OpenedEmbedder) {
  if (opened.type === "none") throw new Error(opened.why);
  return opened.embedder;
}

describe("what memory.embedder names", () => {
  it("is nothing for null, and for a URL that cannot be used", () => {
    expect(open(null)).toEqual({ type: "none", why: "memory.embedder is null" });
    expect(open("http://[")).toMatchObject({ type: "none", why: "memory.embedder is not a URL: http://[" });
    expect(open("https://me:secret@example.org")).toEqual({
      type: "none",
      why: "memory.embedder holds a password: a key belongs in HOOKLINE_EMBEDDINGS_KEY",
    });
  });

  it("is a server for a URL, without asking it", () => {
    expect(use(open("https://example.org/v1")).name).toBe("example.org/v1/embeddings m");
  });

  it("says what a folder lacks", () => {
    const wordLevel = JSON.stringify({ model: { type: "WordLevel", vocab: {} } });
    const why = (path: string) => findModelFolder(path) as { why: string };
    expect(why(join(scratch, "nowhere")).why).toMatch(
      /neither model_quantized.onnx nor model.onnx in .*nowhere$/,
    );
    expect(why(folder("bare", { "model.onnx": "" })).why).toMatch(/no tokenizer.json in .*bare$/);
    expect(why(folder("torn", { "model.onnx": "", "tokenizer.json": "{" })).why).toMatch(/is not JSON$/);
    const other = folder("other", { "model.onnx": "", "tokenizer.json": wordLevel });
    expect(open(other)).toEqual({
      type: "none",
      why: `the model in ${other} cannot be used: its tokenizer is of the kind WordLevel, which is not supported`,
    });
    expect(findLocalModel(join(scratch, "nowhere"))).toEqual({
      type: "missing",
      why: `there are no weights in ${join(scratch, "nowhere")}: in a clone, run npm run prepare with a network`,
    });
  });
});

describe.skipIf(findWeightsFault() !== null)("with a model", () => {
  it("is local by default", async () => {
    const embedder = use(open("local"));
    expect(embedder).toMatchObject({ name: "all-MiniLM-L6-v2@afdb6f1a", dimensions: 384 });
    expect(embedder.isWarm()).toBe(false);
    await embedder.close();
  });

  it("takes a folder in the published layout, named after it and its content, with its way of pooling", async () => {
    const path = join(scratch, "home/mine");
    mkdirSync(join(path, "onnx"), { recursive: true });
    mkdirSync(join(path, "1_Pooling"));
    copyFileSync(join(LOCAL_MODEL.folder, "tokenizer.json"), join(path, "tokenizer.json"));
    symlinkSync(join(LOCAL_MODEL.folder, "model_quantized.onnx"), join(path, "onnx/model.onnx"));
    const mine = use(open("~/mine", { HOME: join(scratch, "home") }));
    expect(mine.name).toMatch(/^mine@[0-9a-f]{8}$/);
    const local = use(open("local"));
    const texts = ["restart the server", "banana bread"];
    const vectors = await local.embed(texts);
    expect(await mine.embed(texts)).toEqual(vectors);

    writeFileSync(join(path, "1_Pooling/config.json"), `{"pooling_mode_cls_token":true}`);
    const first = use(open(path));
    expect(first.name).not.toBe(mine.name);
    expect(await first.embed(texts)).not.toEqual(vectors);

    writeFileSync(join(path, "tokenizer.json"), `${readFileSync(join(path, "tokenizer.json"), "utf8")}\n`);
    expect(use(open(path)).name).not.toBe(first.name);
    await Promise.all([mine, local, first].map((embedder) => embedder.close()));
  });
});
