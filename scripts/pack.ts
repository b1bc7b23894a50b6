// Makes the package that is published: compiled, and without what only a clone needs (a Node of its own, tools).

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const target = join(root, ".tmp/package");
rmSync(target, { recursive: true, force: true });
rmSync(join(root, "dist"), { recursive: true, force: true });
mkdirSync(target, { recursive: true });
execFileSync("tsc", ["-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
for (const part of ["bin", "dist", "plugin", "LICENSE", "README.md"])
  cpSync(join(root, part), join(target, part), { recursive: true });
const {
  devDependencies: _dev,
  optionalDependencies: _optional,
  scripts: _scripts,
  ...manifest
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
rmSync(join(root, "dist"), { recursive: true, force: true });
execFileSync("npm", ["pack", target, "--pack-destination", join(root, ".tmp")], { stdio: "inherit" });
