import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { AppError } from "../../app-error.ts";
import { namedPrograms } from "./named-programs.ts";
import { foldersBetween, foldersWithClaude, projectRoot } from "./project-folders.ts";
import { type ProjectFile, readProgram, readProjectFile, readTree } from "./read-project-file.ts";

/** Everything in a project that could run code or loosen a rule. */
export interface ProjectContent {
  readonly root: string;
  /** The key of an approval: the root, or the deepest folder with files of its own on the session's path. */
  readonly folder: string;
  readonly files: readonly ProjectFile[];
  /** Only shown to the model: read in trusted projects only, but they may change. */
  readonly instructions: readonly string[];
  /** Hash of the files; null if there is nothing to trust. */
  readonly hash: string | null;
  /** Whether all of it could be read. */
  readonly isComplete: boolean;
}

/** Parts of `.claude` that are not settings: full copies of the repository, and agents' own memory. */
const EXCLUDED_FOLDERS = /(^|\/)\.claude\/(worktrees|agent-memory|agent-memory-local)$/;
const INSTRUCTION_FILES = ["CLAUDE.md", "CLAUDE.local.md"];

export async function readProject(cwd: string, userConfigDir: string): Promise<ProjectContent> {
  const location = locateProject(cwd);
  const parts = new Map<string, ProjectFile>();
  const add = (part: ProjectFile | null): void => void (part !== null && parts.set(part.file, part));

  const nested = await foldersWithClaude(location.root);
  if (nested === null) {
    const problem = "the project has too many folders to look through";
    add({ file: ".", hash: "", bytes: 0, text: null, problem });
  }
  for (const dir of new Set([...location.folders, ...(nested ?? [])])) {
    const claude = join(dir, ".claude");
    if (isSame(claude, userConfigDir)) continue;
    for (const part of await readTree(location.root, relative(location.root, claude), (file) =>
      EXCLUDED_FOLDERS.test(file),
    ))
      add(part);
  }
  for (const file of location.files) add(await readProjectFile(location.root, file));
  for (const file of namedPrograms(location.root, [...parts.values()])) {
    if (!parts.has(file)) add(await readProgram(location.root, file));
  }

  const sorted = [...parts.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  const instructions = location.folders
    .flatMap((dir) => INSTRUCTION_FILES.map((name) => join(dir, name)))
    .filter((path) => existsSync(path))
    .map((path) => relative(location.root, path));
  return {
    root: location.root,
    folder: location.folder,
    files: sorted,
    instructions,
    hash: sorted.length + instructions.length === 0 ? null : hashOf(sorted),
    isComplete: sorted.every(({ problem }) => problem === null),
  };
}

export interface ProjectLocation {
  readonly root: string;
  readonly folder: string;
  /** From the root down to the session's folder. */
  readonly folders: readonly string[];
  /** `.mcp.json` and rules, outermost first. */
  readonly files: readonly string[];
}

/** Where a session in this folder finds its settings, without reading them. */
export function locateProject(cwd: string): ProjectLocation {
  const real = realFolder(cwd);
  const root = projectRoot(real);
  const folders = foldersBetween(root, real);
  const ownFiles = folders.flatMap((dir) =>
    [".mcp.json", join(".hookline", "rules.json")]
      .filter((name) => existsSync(join(dir, name)))
      .map((name) => ({ dir, file: relative(root, join(dir, name)) })),
  );
  return { root, folder: ownFiles.at(-1)?.dir ?? root, folders, files: ownFiles.map(({ file }) => file) };
}

function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch (error) {
    throw new AppError("cwd_missing", `Folder ${cwd} not found.`, { cause: error });
  }
}

function isSame(path: string, other: string): boolean {
  try {
    return realpathSync(path) === realpathSync(other);
  } catch {
    return false;
  }
}

function hashOf(parts: readonly ProjectFile[]): string {
  const hash = createHash("sha256");
  for (const { file, hash: content } of parts) hash.update(`${file}\0${content}\n`);
  return hash.digest("hex");
}
