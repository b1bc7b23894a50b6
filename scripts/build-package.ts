// Builds the published package: compiled, with its dependencies and the embedder's weights bundled, and
// without what only a clone needs (its own Node, tools).

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
/** Separate from the clone's own `dist`, which holds the pages it serves. */
const modules = join(root, ".tmp/dist");

/** A clone without the model still builds a package; search is then full text only. */
const isThere = (part: string): boolean => part !== "models" || existsSync(join(root, part));

/** Builds the archive and returns its path. `pages: false` reuses the last build of the pages. */
export async function buildPackage({ pages = true } = {}): Promise<string> {
  rmSync(target, { recursive: true, force: true });
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  execFileSync("tsc", ["-p", join(root, "tsconfig.build.json"), "--outDir", modules], {
    stdio: ["ignore", 2, 2],
  });
  for (const part of ["bin", "models", "plugin", "LICENSE", "README.md"].filter(isThere))
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
  const published = {
    ...manifest,
    exports: compiledExports(manifest.exports),
    optionalDependencies: Object.fromEntries(optional),
  };
  writeFileSync(join(target, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  rmSync(modules, { recursive: true, force: true });
  if (pages || !existsSync(join(root, "dist/web")))
    execFileSync(process.execPath, [join(root, "scripts/build-web.ts")], { stdio: ["ignore", 2, 2] });
  cpSync(join(root, "dist/web"), join(target, "dist/web"), { recursive: true });
  execFileSync("npm", ["pack", target, "--loglevel=error", "--pack-destination", join(root, ".tmp")], {
    stdio: ["ignore", 2, 2],
  });
  return join(root, ".tmp", `${manifest.name}-${manifest.version}.tgz`);
}
