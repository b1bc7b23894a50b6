// Builds the published package, then installs it twice to measure its size on disk.

import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findModelFault, LOCAL_MODEL } from "../src/memory/embed/local-model.ts";
import { buildPackage } from "./build-package.ts";

const fault = findModelFault(LOCAL_MODEL.folder);
if (fault !== null) {
  console.error(`not packed: ${fault}; npm run prepare brings the model`);
  process.exit(1);
}
measure(await buildPackage());

interface Size {
  readonly bytes: number;
  /** In whole blocks, as the file system allocates them. */
  readonly onDisk: number;
}

/** The budgets apply to a user's machine: everything that `npm install` puts there. */
function measure(archive: string): void {
  const [all, bare, model] = [
    install(archive, []),
    install(archive, ["--omit=optional"]),
    sizeOf(LOCAL_MODEL.folder),
  ];
  const neither = { bytes: bare.bytes - model.bytes, onDisk: bare.onDisk - model.onDisk };
  console.log(`installed with model and runtime: ${sizeText(all)}; at most 150`);
  console.log(`installed without the runtime: ${sizeText(bare)}`);
  console.log(`installed without model and runtime: ${sizeText(neither)}; at most 10`);
}

function install(archive: string, flags: readonly string[]): Size {
  const scratch = mkdtempSync(join(tmpdir(), "hookline-installed-"));
  try {
    writeFileSync(join(scratch, "package.json"), "{}");
    const args = ["install", archive, "--no-audit", "--no-fund", "--loglevel=error", ...flags];
    execFileSync("npm", args, { cwd: scratch, stdio: ["ignore", "ignore", "inherit"] });
    return sizeOf(join(scratch, "node_modules"));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function sizeOf(folder: string): Size {
  const stats = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) =>
    lstatSync(join(folder, path)),
  );
  return {
    bytes: stats.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0),
    onDisk: stats.reduce((sum, entry) => sum + entry.blocks * 512, 0),
  };
}

function sizeText({ bytes, onDisk }: Size): string {
  return `${(bytes / 1e6).toFixed(1)} MB, ${(onDisk / 1e6).toFixed(1)} MB on disk`;
}
