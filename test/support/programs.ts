import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that the tests start besides Node, with the Debian package that provides each. */
const PACKAGES = {
  busybox: "busybox",
  bwrap: "bubblewrap",
  chromium: "chromium",
  curl: "curl",
  git: "git",
  ps: "procps",
  strace: "strace",
  tmux: "tmux",
} as const;

export type Program = keyof typeof PACKAGES;

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const BUSYBOX = "/bin/busybox";
/** Programs that the tests start by absolute path. */
const FIXED_PATHS: Partial<Record<Program, string>> = { chromium: CHROMIUM, busybox: BUSYBOX };

export function missingPrograms(): readonly Program[] {
  return (Object.keys(PACKAGES) as Program[]).filter((program) => !isInstalled(program));
}

export function packagesOf(programs: readonly Program[]): readonly string[] {
  return programs.map((program) => PACKAGES[program]);
}

export function isInstalled(program: Program): boolean {
  const fixedPath = FIXED_PATHS[program];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return (fixedPath === undefined ? folders.map((folder) => join(folder, program)) : [fixedPath]).some(
    canRun,
  );
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
