import { foldedPath } from "../../folded-path.ts";
import { isInside, type Locations } from "../../locations.ts";
import { spend } from "../../work.ts";

/** What git stores in its folder besides objects: settings and logs, which may have a password in a URL. */

const IN_GIT = /(?:^|\/)\.git(?:\/(.*))?$/s;

/** Files and folders of a git folder that contain no lines of other files. */
const HARMLESS_ENTRY =
  /^(?:(?:modules|worktrees)(?:\/.+)?\/)?(?:[a-z_]*head|config|config\.worktree|packed-refs|shallow|description|gitdir|commondir|merge_msg|squash_msg|bisect_[a-z]+|(?:info|refs|logs|hooks|branches)(?:\/.*)?|rebase-merge\/(?:head-name|onto|orig-head|msgnum|end|done|git-rebase-todo))$|^(?:modules|worktrees)(?:\/[^/]+)?$/s;
/** Folders of a git folder whose files may contain a password. */
const MAY_HOLD_PASSWORD = /^(?:(?:modules|worktrees)(?:\/.+)?|(?:.*\/)?logs(?:\/.*)?)$/s;
const HOLDS_NO_PASSWORD = /(?:^|\/)(?:objects|refs|hooks|info|lfs|rr-cache)(?:\/|$)/;

/** Git settings in any folder, as in a bare repository. */
const SETTINGS = /(?:^|\/)(?:config|config\.worktree|\.?gitconfig|\.gitmodules)$/;
const LOG = /^(?:.*\/)?(?:logs\/.*|fetch_head)$/s;

/** Rules out most paths cheaply: they are outside git folders, in plain spelling. */
const MAY_BE_GIT_PATH = /\.g|config|[^\x20-\x7e]/i;

/** A path's position in a git folder; null outside one. Workspaces that tools keep in one do not count. */
function pathInGitFolder(path: string, { workspace }: Locations): string | null {
  if (!MAY_BE_GIT_PATH.test(path)) return null;
  const root = workspace.find((folder) => isInside(path, folder)) ?? "";
  const found = IN_GIT.exec(foldedPath(path.slice(root.length)));
  return found === null ? null : (found[1] ?? "").replace(/\/$/, "");
}

/** Whether to scan a folder for passwords: the git folder itself and some in it. Null outside of one. */
export function mayHoldPasswords(folder: string, locations: Locations): boolean | null {
  const inner = pathInGitFolder(folder, locations);
  if (inner === null || inner === "") return inner === null ? null : true;
  return (
    MAY_HOLD_PASSWORD.test(inner) && !HOLDS_NO_PASSWORD.test(inner.replace(/(^|\/)logs\/.*$/s, "$1logs"))
  );
}

/** Whether a path is outside any git folder, or contains no lines of other files. */
export function isHarmlessGitPath(path: string, locations: Locations): boolean {
  const inner = pathInGitFolder(path, locations);
  // A glob is judged by what it matches.
  return inner === null || inner === "" || /[*?[]/.test(inner) || HARMLESS_ENTRY.test(inner);
}

/** Whether a file is the log of a reference, which has the name of a branch. */
export function isGitLog(path: string, locations: Locations): boolean {
  return /(?:^|\/)logs\//.test(pathInGitFolder(path, locations) ?? "");
}

/** Whether a file contains git settings or logs with a password, or may contain them. */
export function holdsPassword(path: string, locations: Locations): boolean {
  if (!MAY_BE_GIT_PATH.test(path)) return false;
  const isSettings = SETTINGS.test(foldedPath(path));
  if (!isSettings && !LOG.test(pathInGitFolder(path, locations) ?? "")) return false;
  // A folder may have this name too.
  if (Array.isArray(locations.world.entries?.(path))) return false;
  return hasAddressWithPassword(path, locations) || (isSettings && hasSettingWithPassword(path, locations));
}

/** A user name alone is no secret, unless it looks like a token: long, or not short and with digits. */
const PASSWORD_IN_URL =
  /:\/\/(?:[^\s/@:]{0,200}:[^\s/@]{1,1000}|(?=[^\s/@:\d]{0,1000}\d)[^\s/@:]{12,1000}|[^\s/@:]{20,1000})@/;
const PASSWORD_IN_SETTING =
  /^[ \t]*[\w.-]{0,60}(?:token|passw|smtppass|secret|extraheader|api-?key|cookie(?!file))[\w-]{0,60}[ \t]*=|=[ \t]*"?[^\s=:@"/]{1,100}:[^\s@/]{1,100}@|\b(?:authorization:|bearer |password=|token=|gh[a-z]_\w{10}|github_pat_|glpat-)/im;
const MAX_SETTINGS_BYTES = 500_000;

/** Whether a URL in a file contains a password. An unreadable file may. */
export function hasAddressWithPassword(file: string, locations: Locations): boolean {
  const bytes = locations.world.bytes?.(file) ?? null;
  if (bytes === null || bytes === "unknown") return bytes !== null;
  spend(bytes.length / 5);
  return PASSWORD_IN_URL.test(Buffer.from(bytes).toString("latin1"));
}

function hasSettingWithPassword(file: string, locations: Locations): boolean {
  const bytes = locations.world.bytes?.(file) ?? null;
  if (bytes === null || bytes === "unknown") return bytes !== null;
  if (bytes.length > MAX_SETTINGS_BYTES) return true;
  spend(4 * bytes.length);
  return PASSWORD_IN_SETTING.test(Buffer.from(bytes).toString("latin1"));
}

const MAX_LOGS = 500;

/** Whether a reflog contains a password: `pull https://me:password@…`. */
export function hasPasswordInLogs(folder: string, locations: Locations): boolean {
  const pending = [`${folder}/logs`];
  let count = 0;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const listing = locations.world.entries?.(at) ?? "unknown";
    if (listing === "no folder") continue;
    if (listing === "unknown") return true;
    count += listing.length;
    if (count > MAX_LOGS) return true;
    for (const { name, kind } of listing)
      if (kind === "folder") pending.push(`${at}/${name}`);
      else if (hasAddressWithPassword(`${at}/${name}`, locations)) return true;
  }
  return false;
}
