import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePackage } from "../make-package.ts";
import { makeFolder } from "./place.ts";

let installed: Promise<string> | null = null;

/** The program as a user has it: packed, and installed from the archive. Once for all parts of a bench. */
export function installPackage(): Promise<string> {
  installed ??= install();
  return installed;
}

async function install(): Promise<string> {
  const archive = await makePackage({ pages: false });
  const folder = makeFolder("installed");
  writeFileSync(join(folder, "package.json"), "{}");
  // Without the embedder's runtime, which is a process of its own and would have to be fetched.
  const flags = ["--omit=optional", "--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", archive, ...flags], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(folder, "node_modules", ".bin", "hookline");
}
