import { foldedPath } from "../../folded-path.ts";
import { isInside, type Places } from "../../places.ts";
import { spend } from "../../work.ts";

/** What git keeps in its folder beside objects: settings and logs, which may have a password in an address. */

const IN_GIT = /(?:^|\/)\.git(?:\/(.*))?$/s;

/** Files and folders of a git folder that hold no lines of other files. */
const OPEN =
  /^(?:(?:modules|worktrees)(?:\/.+)?\/)?(?:[a-z_]*head|config|config\.worktree|packed-refs|shallow|description|gitdir|commondir|merge_msg|squash_msg|bisect_[a-z]+|(?:info|refs|logs|hooks|branches)(?:\/.*)?|rebase-merge\/(?:head-name|onto|orig-head|msgnum|end|done|git-rebase-todo))$|^(?:modules|worktrees)(?:\/[^/]+)?$/s;
/** Folders of a git folder whose files may have a password in them. */
const MAY_HOLD = /^(?:(?:modules|worktrees)(?:\/.+)?|(?:.*\/)?logs(?:\/.*)?)$/s;
const HOLDS_NONE = /(?:^|\/)(?:objects|refs|hooks|info|lfs|rr-cache)(?:\/|$)/;

/** Settings of git wherever they lie, as in a bare repository. */
const SETTINGS = /(?:^|\/)(?:config|config\.worktree|\.?gitconfig|\.gitmodules)$/;
const LOG = /^(?:.*\/)?(?:logs\/.*|fetch_head)$/s;

/** Most paths are neither of git's nor spelled in a way that would have to be looked at. */
const MAY_BE_GITS = /\.g|config|[^\x20-\x7e]/i;

/** Where a path lies in a git folder; null outside of one. Some tools keep whole workspaces in one: those are not. */
function innerOf(path: string, { workspace }: Places): string | null {
  if (!MAY_BE_GITS.test(path)) return null;
  const around = workspace.find((folder) => isInside(path, folder)) ?? "";
  const found = IN_GIT.exec(foldedPath(path.slice(around.length)));
  return found === null ? null : (found[1] ?? "").replace(/\/$/, "");
}

/** Whether a folder is looked into for passwords: the git folder itself and some in it. Null outside of one. */
export function mayHoldPasswords(folder: string, places: Places): boolean | null {
  const inner = innerOf(folder, places);
  if (inner === null || inner === "") return inner === null ? null : true;
  return MAY_HOLD.test(inner) && !HOLDS_NONE.test(inner.replace(/(^|\/)logs\/.*$/s, "$1logs"));
}

/** Whether a path is none of a git folder, or one that holds no lines of other files. */
export function isOpenInGit(path: string, places: Places): boolean {
  const inner = innerOf(path, places);
  // A glob is read by what it finds.
  return inner === null || inner === "" || /[*?[]/.test(inner) || OPEN.test(inner);
}

/** Whether a file is the log of a reference, which has the name of a branch. */
export function isGitLog(path: string, places: Places): boolean {
  return /(?:^|\/)logs\//.test(innerOf(path, places) ?? "");
}

/** Whether a file has settings or logs of git with a password in them, or may have. */
export function holdsPassword(path: string, places: Places): boolean {
  if (!MAY_BE_GITS.test(path)) return false;
  const isSettings = SETTINGS.test(foldedPath(path));
  if (!isSettings && !LOG.test(innerOf(path, places) ?? "")) return false;
  // A folder may be called so, too.
  if (Array.isArray(places.world.entries?.(path))) return false;
  return hasAddressWithPassword(path, places) || (isSettings && hasSettingWithPassword(path, places));
}

/** A name alone is none, unless it looks like a token: it is long, or has digits in it and is not short. */
const IN_ADDRESS =
  /:\/\/(?:[^\s/@:]{0,200}:[^\s/@]{1,1000}|(?=[^\s/@:\d]{0,1000}\d)[^\s/@:]{12,1000}|[^\s/@:]{20,1000})@/;
const IN_SETTING =
  /^[ \t]*[\w.-]{0,60}(?:token|passw|smtppass|secret|extraheader|api-?key|cookie(?!file))[\w-]{0,60}[ \t]*=|=[ \t]*"?[^\s=:@"/]{1,100}:[^\s@/]{1,100}@|\b(?:authorization:|bearer |password=|token=|gh[a-z]_\w{10}|github_pat_|glpat-)/im;
const MAX_SETTINGS_BYTES = 500_000;

/** Whether an address in a file has a password in it. One that cannot be read may have. */
export function hasAddressWithPassword(file: string, places: Places): boolean {
  const bytes = places.world.bytes?.(file) ?? null;
  if (bytes === null || bytes === "unknown") return bytes !== null;
  spend(bytes.length / 5);
  return IN_ADDRESS.test(Buffer.from(bytes).toString("latin1"));
}

function hasSettingWithPassword(file: string, places: Places): boolean {
  const bytes = places.world.bytes?.(file) ?? null;
  if (bytes === null || bytes === "unknown") return bytes !== null;
  if (bytes.length > MAX_SETTINGS_BYTES) return true;
  spend(4 * bytes.length);
  return IN_SETTING.test(Buffer.from(bytes).toString("latin1"));
}

const MAX_LOGS = 500;

/** Whether a log of references has a password in it: `pull https://me:password@…`. */
export function hasPasswordInLogs(folder: string, places: Places): boolean {
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
