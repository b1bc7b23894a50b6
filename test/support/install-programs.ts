// Before the first test: gets the programs that the tests start, where that can be done without asking anybody.

import { spawnSync } from "node:child_process";
import { missingPrograms, type Program, packagesOf } from "./programs.ts";

export function setup(): void {
  const before = missingPrograms();
  if (before.length === 0) return;
  const isDebianRoot = process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
  if (isDebianRoot) install(before);
  const missing = missingPrograms();
  if (missing.length === 0) return;
  const told = `${missing.join(", ")} not found: ${howToGet(missing)}`;
  // A run that is to vouch for the whole must not leave anything out.
  if (process.env["HOOKLINE_TEST_ALL"] === "1") throw new Error(told);
  console.warn(`\n${told}\nThe tests that need it are skipped.\n`);
}

function install(programs: readonly Program[]): void {
  console.info(`Installing ${packagesOf(programs).join(", ")} for the tests …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]): void => {
    const { status, stderr } = spawnSync("apt-get", ["-qq", ...args], { env, encoding: "utf8" });
    if (status !== 0) console.warn(`apt-get ${args[0]} failed: ${stderr.trim()}`);
  };
  apt("update");
  apt("install", "-y", "--no-install-recommends", ...packagesOf(programs));
}

function howToGet(programs: readonly Program[]): string {
  return `apt-get install ${packagesOf(programs).join(" ")} (Debian), or your system's packages of these names`;
}
