import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { AppError } from "../../app-error.ts";
import { namedPrograms } from "./named-programs.ts";
import { foldersBetween, foldersWithClaude, projectRoot } from "./project-folders.ts";
import { type Part, readPart, readProgram, readTree } from "./read-part.ts";

/** Everything of a project that could run something or loosen a rule. */
export interface ProjectContent {
  readonly root: string;
  /** What an approval is kept under: the root, or the deepest folder on the way to the session's with files of its own. */
  readonly folder: string;
  readonly parts: readonly Part[];
  /** Told to the model and no more: read only in a trusted project, but they may change. */
  readonly instructions: readonly string[];
  /** Of the parts; null when there is nothing to trust. */
  readonly hash: string | null;
  /** Whether all of it could be read. */
  readonly isWhole: boolean;
}

/** What of `.claude` is no setting: whole copies of the repository, and what agents keep for themselves. */
const LEFT_OUT = /(^|\/)\.claude\/(worktrees|agent-memory|agent-memory-local)$/;
const INSTRUCTIONS = ["CLAUDE.md", "CLAUDE.local.md"];

export async function readProject(cwd: string, userConfigDir: string): Promise<ProjectContent> {
  const place = locate(cwd);
  const parts = new Map<string, Part>();
  const add = (part: Part | null): void => void (part !== null && parts.set(part.file, part));

  const nested = await foldersWithClaude(place.root);
  if (nested === null) {
    const problem = "the project has too many folders to look through";
    add({ file: ".", hash: "", bytes: 0, text: null, problem });
  }
  for (const dir of new Set([...place.folders, ...(nested ?? [])])) {
    const claude = join(dir, ".claude");
    if (isSame(claude, userConfigDir)) continue;
    for (const part of await readTree(place.root, relative(place.root, claude), (file) =>
      LEFT_OUT.test(file),
    ))
      add(part);
  }
  for (const file of place.files) add(await readPart(place.root, file));
  for (const file of namedPrograms(place.root, [...parts.values()])) {
    if (!parts.has(file)) add(await readProgram(place.root, file));
  }

  const sorted = [...parts.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  const instructions = place.folders
    .flatMap((dir) => INSTRUCTIONS.map((name) => join(dir, name)))
    .filter((path) => existsSync(path))
    .map((path) => relative(place.root, path));
  return {
    root: place.root,
    folder: place.folder,
    parts: sorted,
    instructions,
    hash: sorted.length + instructions.length === 0 ? null : hashOf(sorted),
    isWhole: sorted.every(({ problem }) => problem === null),
  };
}

export interface Place {
  readonly root: string;
  readonly folder: string;
  /** From the root to the session's. */
  readonly folders: readonly string[];
  /** `.mcp.json` and rules, the outermost first. */
  readonly files: readonly string[];
}

/** Where a session of this folder looks, without a look at what is there. */
export function locate(cwd: string): Place {
  const real = realFolder(cwd);
  const root = projectRoot(real);
  const folders = foldersBetween(root, real);
  const owned = folders.flatMap((dir) =>
    [".mcp.json", join(".hookline", "rules.json")]
      .filter((name) => existsSync(join(dir, name)))
      .map((name) => ({ dir, file: relative(root, join(dir, name)) })),
  );
  return { root, folder: owned.at(-1)?.dir ?? root, folders, files: owned.map(({ file }) => file) };
}

function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch (error) {
    throw new AppError("cwd_missing", `There is no folder ${cwd}.`, { cause: error });
  }
}

function isSame(path: string, other: string): boolean {
  try {
    return realpathSync(path) === realpathSync(other);
  } catch {
    return false;
  }
}

function hashOf(parts: readonly Part[]): string {
  const hash = createHash("sha256");
  for (const { file, hash: content } of parts) hash.update(`${file}\0${content}\n`);
  return hash.digest("hex");
}
