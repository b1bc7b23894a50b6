// Global setup: installs the programs that the tests start, where that needs no confirmation.

import { spawnSync } from "node:child_process";
import { missingPrograms, type Program, packagesOf } from "./programs.ts";

export function setup(): void {
  const before = missingPrograms();
  if (before.length === 0) return;
  const isDebianRoot = process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
  if (isDebianRoot) install(before);
  const missing = missingPrograms();
  if (missing.length === 0) return;
  const message = `${missing.join(", ")} not found: ${installHint(missing)}`;
  // A run that must cover everything must not skip a file.
  if (process.env["HOOKLINE_TEST_ALL"] === "1") throw new Error(message);
  console.warn(`\n${message}\nThe tests that need it are skipped.\n`);
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

function installHint(programs: readonly Program[]): string {
  return `apt-get install ${packagesOf(programs).join(" ")} (Debian), or your system's packages of these names`;
}
