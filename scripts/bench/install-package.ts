import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPackage } from "../build-package.ts";
import { createScratchFolder } from "./bench-home.ts";

let installed: Promise<string> | null = null;

/** Installs the program as a user does, from the packed archive, once for all parts of a bench. */
export function installPackage(): Promise<string> {
  installed ??= install();
  return installed;
}

async function install(): Promise<string> {
  const archive = await buildPackage({ pages: false });
  const folder = createScratchFolder("installed");
  writeFileSync(join(folder, "package.json"), "{}");
  // Without the embedder's runtime, which runs in its own process and would have to be downloaded.
  const flags = ["--omit=optional", "--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", archive, ...flags], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(folder, "node_modules", ".bin", "hookline");
}
