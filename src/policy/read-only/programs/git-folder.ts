import { foldedPath } from "../../folded-path.ts";
import type { Places } from "../../places.ts";
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

/** Whether a folder of a tree that is read is a git folder, or lies in one. */
export function isInGitFolder(path: string): boolean {
  return IN_GIT.test(foldedPath(path));
}

/** Whether a folder in a git folder may have files with a password in them. */
export function mayHoldPasswords(folder: string): boolean {
  const inner = IN_GIT.exec(foldedPath(folder))?.[1] ?? "";
  if (inner === "") return true;
  return MAY_HOLD.test(inner) && !HOLDS_NONE.test(inner.replace(/(^|\/)logs\/.*$/s, "$1logs"));
}

/** Whether a file may be read that is not in a git folder, or is one of its open ones. */
export function isOpenInGit(path: string): boolean {
  const inner = IN_GIT.exec(foldedPath(path))?.[1];
  // A glob is read by what it finds.
  if (inner === undefined || inner === "" || /[*?[]/.test(inner)) return true;
  return OPEN.test(inner.replace(/\/$/, ""));
}

/** Whether a file has settings or logs of git with a password in them, or may have. */
export function holdsPassword(path: string, places: Places): boolean {
  const folded = foldedPath(path);
  const inner = IN_GIT.exec(folded)?.[1] ?? "";
  const isSettings = SETTINGS.test(folded);
  if (!isSettings && !LOG.test(inner)) return false;
  // A folder may be called so, too.
  if (Array.isArray(places.world.entries?.(path))) return false;
  return hasAddressWithPassword(path, places) || (isSettings && hasSettingWithPassword(path, places));
}

const IN_ADDRESS = /:\/\/(?!git@)[^\s/@]{1,1000}@/;
const IN_SETTING =
  /^[ \t]*[\w.-]{0,60}(?:token|passw|smtppass|secret|extraheader|api-?key|cookie(?!file))[\w-]{0,60}[ \t]*=|=[ \t]*"?[^\s=:@"/]{1,100}:[^\s@/]{1,100}@|\b(?:authorization:|bearer |password=|token=|gh[a-z]_\w{10}|github_pat_|glpat-)/im;
const MAX_SETTINGS_BYTES = 500_000;

/** Whether an address in a file has a password in it. One that cannot be read may have. */
export function hasAddressWithPassword(file: string, places: Places): boolean {
  const bytes = places.world.bytes?.(file) ?? null;
  if (bytes === null || bytes === "unknown") return bytes !== null;
  spend(bytes.length);
  return IN_ADDRESS.test(Buffer.from(bytes).toString("utf8"));
}

function hasSettingWithPassword(file: string, places: Places): boolean {
  const bytes = places.world.bytes?.(file) ?? null;
  if (bytes === null || bytes === "unknown") return bytes !== null;
  if (bytes.length > MAX_SETTINGS_BYTES) return true;
  spend(4 * bytes.length);
  return IN_SETTING.test(Buffer.from(bytes).toString("utf8"));
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
