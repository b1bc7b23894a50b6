import { resolve, sep } from "node:path";
import type { PolicyRequest, World } from "../../policy/request.ts";
import { withinBudget } from "../../policy/work.ts";

/** Modes in which Claude Code forwards every ask of a hook to the person (`dontAsk` denies instead). */
const MODES_THAT_ASK: ReadonlySet<string> = new Set(["default", "acceptEdits", "dontAsk"]);
/** Hidden but still asked about: Claude Code itself does not treat these as sensitive. */
const STILL_ASKED_NAMES = /^\.(?:env(?:\..*)?|ssh|github|cursor)$/;
const WORD_SEPARATORS = /[\s;|&<>()"'`=,:]+/;

/**
 * Whether the person would never see the question. For a hidden file such as .git/config, .mcp.json, .bashrc
 * or .vscode/…, also behind a symbolic link, Claude Code 2.1.325 decides on its own: in bypassPermissions the
 * call runs, in auto its own check decides. Errs on the side of treating asks as lost.
 */
export function isAskLost(request: PolicyRequest, world: World): boolean {
  if (MODES_THAT_ASK.has(request.mode)) return false;
  return withinBudget(() => namesHidden(request, world.forRequest?.() ?? world)) ?? true;
}

function namesHidden({ toolInput, cwd }: PolicyRequest, world: World): boolean {
  const folder = world.realPath(cwd);
  const isHidden = (path: string): boolean =>
    withoutFolder(path, folder)
      .split(sep)
      .some((part) => /^\.[^.]/.test(part) && !STILL_ASKED_NAMES.test(part));
  const words = textsIn(toolInput)
    .flatMap((text) => [text, ...text.split(WORD_SEPARATORS)])
    .filter((word) => word !== "" && !word.includes("\0"));
  if (words.some((word) => word.length >= MAX_PATH_CHARS && !/\s/.test(word))) return true;
  const paths = new Set(
    words
      .filter((word) => word.length < MAX_PATH_CHARS)
      .map((word) => resolve(cwd, word.startsWith("~/") ? `${world.home}/${word.slice(2)}` : word)),
  );
  // The agent is waiting, so this many links are not followed.
  return (
    paths.size > MAX_PATHS || [...paths].some((path) => isHidden(path) || isHidden(world.realPath(path)))
  );
}

const MAX_PATH_CHARS = 4_096;
const MAX_PATHS = 500;

/** The session's own folder may be inside a hidden one. */
function withoutFolder(path: string, folder: string): string {
  return path.startsWith(`${folder}${sep}`) ? path.slice(folder.length) : path;
}

/** Texts that name a path or are run; not file contents. */
function textsIn(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === "string" && !CONTENT_KEYS.has(key) ? [value] : [],
  );
}

const CONTENT_KEYS: ReadonlySet<string> = new Set([
  "content",
  "new_string",
  "old_string",
  "new_source",
  "description",
]);
