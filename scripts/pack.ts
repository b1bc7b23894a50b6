// Makes the package that is published: compiled, with what it uses of other packages and the embedder's weights inside,
// and without what only a clone needs (a Node of its own, tools). Then installs it twice, to show what it takes on disk.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findModelFault, LOCAL_MODEL } from "../src/memory/embed/local-model.ts";
import { bundle, compiledExports, writeLicences } from "./bundle.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const root = join(import.meta.dirname, "..");
const target = join(root, ".tmp/package");
/** Beside the clone's own `dist`, which has the pages that it serves. */
const modules = join(root, ".tmp/dist");

const fault = findModelFault(LOCAL_MODEL.folder);
if (fault !== null) {
  console.error(`not packed: ${fault}; npm run prepare brings the model`);
  process.exit(1);
}
measure(await pack());

async function pack(): Promise<string> {
  rmSync(target, { recursive: true, force: true });
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  execFileSync("tsc", ["-p", join(root, "tsconfig.build.json"), "--outDir", modules], { stdio: "inherit" });
  for (const part of ["bin", "models", "plugin", "LICENSE", "README.md"])
    cpSync(join(root, part), join(target, part), { recursive: true });
  const {
    devDependencies: _dev,
    scripts: _scripts,
    overrides: _overrides,
    dependencies: _bundled,
    optionalDependencies,
    ...manifest
  } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest & Record<string, unknown>;
  const optional = Object.entries(optionalDependencies).filter(([name]) => !name.startsWith("node-linux-"));
  const external = [...optional.map(([name]) => name), ...Object.keys(manifest.peerDependencies)];
  const packages = await bundle(modules, join(target, "dist"), external);
  writeLicences(packages, root, join(target, "THIRD-PARTY-LICENSES.txt"));
  console.log(`taken in: ${packages.join(", ")}`);
  const exports = compiledExports(manifest.exports);
  const published = { ...manifest, exports, optionalDependencies: Object.fromEntries(optional) };
  writeFileSync(join(target, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  rmSync(modules, { recursive: true, force: true });
  execFileSync(process.execPath, [join(root, "scripts/build-web.ts")], { stdio: "inherit" });
  cpSync(join(root, "dist/web"), join(target, "dist/web"), { recursive: true });
  execFileSync("npm", ["pack", target, "--pack-destination", join(root, ".tmp")], { stdio: "inherit" });
  return join(root, ".tmp", `${manifest.name}-${manifest.version}.tgz`);
}

interface Size {
  readonly bytes: number;
  /** In whole blocks, as the file system keeps them. */
  readonly onDisk: number;
}

/** The budgets are those of a user's machine: everything that `npm install` puts there. */
function measure(archive: string): void {
  const [all, bare, model] = [
    install(archive, []),
    install(archive, ["--omit=optional"]),
    sizeOf(LOCAL_MODEL.folder),
  ];
  const neither = { bytes: bare.bytes - model.bytes, onDisk: bare.onDisk - model.onDisk };
  console.log(`installed with model and runtime: ${told(all)}; at most 150`);
  console.log(`installed without the runtime: ${told(bare)}`);
  console.log(`installed without model and runtime: ${told(neither)}; at most 10`);
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

function told({ bytes, onDisk }: Size): string {
  return `${(bytes / 1e6).toFixed(1)} MB, ${(onDisk / 1e6).toFixed(1)} MB on disk`;
}
