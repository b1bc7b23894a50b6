import { foldedPath } from "../../folded-path.ts";
import { isInside, type Locations } from "../../locations.ts";
import { spend } from "../../work.ts";

/** What git stores in its folder besides objects: settings and logs, which may have a password in a URL. */

const IN_GIT = /(?:^|\/)\.git(?:\/(.*))?$/s;

/** Files and folders of a git folder that contain no lines of other files. */
const OPEN =
  /^(?:(?:modules|worktrees)(?:\/.+)?\/)?(?:[a-z_]*head|config|config\.worktree|packed-refs|shallow|description|gitdir|commondir|merge_msg|squash_msg|bisect_[a-z]+|(?:info|refs|logs|hooks|branches)(?:\/.*)?|rebase-merge\/(?:head-name|onto|orig-head|msgnum|end|done|git-rebase-todo))$|^(?:modules|worktrees)(?:\/[^/]+)?$/s;
/** Folders of a git folder whose files may contain a password. */
const MAY_HOLD = /^(?:(?:modules|worktrees)(?:\/.+)?|(?:.*\/)?logs(?:\/.*)?)$/s;
const HOLDS_NONE = /(?:^|\/)(?:objects|refs|hooks|info|lfs|rr-cache)(?:\/|$)/;

/** Git settings in any folder, as in a bare repository. */
const SETTINGS = /(?:^|\/)(?:config|config\.worktree|\.?gitconfig|\.gitmodules)$/;
const LOG = /^(?:.*\/)?(?:logs\/.*|fetch_head)$/s;

/** Most paths are neither git's nor spelled in a way that needs a closer check. */
const MAY_BE_GITS = /\.g|config|[^\x20-\x7e]/i;

/** A path's position in a git folder; null outside one. Workspaces that tools keep in one do not count. */
function innerOf(path: string, { workspace }: Locations): string | null {
  if (!MAY_BE_GITS.test(path)) return null;
  const around = workspace.find((folder) => isInside(path, folder)) ?? "";
  const found = IN_GIT.exec(foldedPath(path.slice(around.length)));
  return found === null ? null : (found[1] ?? "").replace(/\/$/, "");
}

/** Whether to scan a folder for passwords: the git folder itself and some in it. Null outside of one. */
export function mayHoldPasswords(folder: string, places: Locations): boolean | null {
  const inner = innerOf(folder, places);
  if (inner === null || inner === "") return inner === null ? null : true;
  return MAY_HOLD.test(inner) && !HOLDS_NONE.test(inner.replace(/(^|\/)logs\/.*$/s, "$1logs"));
}

/** Whether a path is outside any git folder, or contains no lines of other files. */
export function isHarmlessGitPath(path: string, places: Locations): boolean {
  const inner = innerOf(path, places);
  // A glob is judged by what it matches.
  return inner === null || inner === "" || /[*?[]/.test(inner) || OPEN.test(inner);
}

/** Whether a file is the log of a reference, which has the name of a branch. */
export function isGitLog(path: string, places: Locations): boolean {
  return /(?:^|\/)logs\//.test(innerOf(path, places) ?? "");
}

/** Whether a file contains git settings or logs with a password, or may contain them. */
export function holdsPassword(path: string, places: Locations): boolean {
  if (!MAY_BE_GITS.test(path)) return false;
  const isSettings = SETTINGS.test(foldedPath(path));
  if (!isSettings && !LOG.test(innerOf(path, places) ?? "")) return false;
  // A folder may have this name too.
  if (Array.isArray(places.world.entries?.(path))) return false;
  return hasAddressWithPassword(path, places) || (isSettings && hasSettingWithPassword(path, places));
}

/** A user name alone is no secret, unless it looks like a token: long, or not short and with digits. */
const IN_ADDRESS =
  /:\/\/(?:[^\s/@:]{0,200}:[^\s/@]{1,1000}|(?=[^\s/@:\d]{0,1000}\d)[^\s/@:]{12,1000}|[^\s/@:]{20,1000})@/;
const IN_SETTING =
  /^[ \t]*[\w.-]{0,60}(?:token|passw|smtppass|secret|extraheader|api-?key|cookie(?!file))[\w-]{0,60}[ \t]*=|=[ \t]*"?[^\s=:@"/]{1,100}:[^\s@/]{1,100}@|\b(?:authorization:|bearer |password=|token=|gh[a-z]_\w{10}|github_pat_|glpat-)/im;
const MAX_SETTINGS_BYTES = 500_000;

/** Whether a URL in a file contains a password. An unreadable file may. */
export function hasAddressWithPassword(file: string, places: Locations): boolean {
  const bytes = places.world.bytes?.(file) ?? null;
  if (bytes === null || bytes === "unknown") return bytes !== null;
  spend(bytes.length / 5);
  return IN_ADDRESS.test(Buffer.from(bytes).toString("latin1"));
}

function hasSettingWithPassword(file: string, places: Locations): boolean {
  const bytes = places.world.bytes?.(file) ?? null;
  if (bytes === null || bytes === "unknown") return bytes !== null;
  if (bytes.length > MAX_SETTINGS_BYTES) return true;
  spend(4 * bytes.length);
  return IN_SETTING.test(Buffer.from(bytes).toString("latin1"));
}

const MAX_LOGS = 500;

/** Whether a reflog contains a password: `pull https://me:password@…`. */
export function hasPasswordInLogs(folder: string, places: Locations): boolean {
  const open = [`${folder}/logs`];
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const listing = places.world.entries?.(at) ?? "unknown";
    if (listing === "no folder") continue;
    if (listing === "unknown") return true;
    count += listing.length;
    if (count > MAX_LOGS) return true;
    for (const { name, kind } of listing)
      if (kind === "folder") open.push(`${at}/${name}`);
      else if (hasAddressWithPassword(`${at}/${name}`, places)) return true;
  }
  return false;
}
